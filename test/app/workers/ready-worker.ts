/** A worker that serves nothing, and says that it is ready. */
import { channelToParent } from '../../../src/lib/channel.ts';
import { workerMessages } from '../../../src/app/workers/worker.ts';

const channel = channelToParent();
channel?.on(workerMessages.crew, () => true);
channel?.on(workerMessages.stop, () => process.exit());
channel?.tell(workerMessages.ready, { host: '127.0.0.1', port: 1, digest: '' });
