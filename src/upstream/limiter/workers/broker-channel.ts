import type { Channel } from '../../../lib/channel.ts';
import type { PermitClaim, PermitPause } from '../permit-pool.ts';
import type { PermitBroker } from './permit-broker.ts';
import { permitMessages } from './worker-permits.ts';

/** Answers the claims of one worker. */
export function brokerChannel(broker: PermitBroker, worker: number, channel: Channel): void {
  channel.on(permitMessages.claim, (claim: PermitClaim) => broker.exchange(worker, claim));
  channel.on(permitMessages.block, (pause: PermitPause) => {
    broker.block(worker, pause);
  });
  channel.on(permitMessages.leave, (claims: readonly PermitClaim[]) => {
    broker.leave(worker, claims);
    return true;
  });
}
