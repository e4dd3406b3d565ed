// Loaded into the demo's child processes before anything else: they end when the demo does, however it ends.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
