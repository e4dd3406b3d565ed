// Loaded into the demo's child processes before anything else: when the demo is gone, however it ended, they
// end too.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
