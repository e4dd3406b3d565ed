// A peer: Go's ReverseProxy as it comes, on one core. Argument: the service's origin.
package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	origin, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 128
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, httputil.NewSingleHostReverseProxy(origin)))
}
