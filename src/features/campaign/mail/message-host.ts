/** The name after the @ of a Message-ID, from the bridge's public URL: a loopback address is not one. */
export function messageHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : 'causeway.invalid';
}
