/** Why nothing is written, as a clause; what can be done depends on where it is read. */
export const leaveWords = {
  closed: 'it is closed',
  awaiting: 'its customer has approved',
  laterStage: 'it is at a stage that this version does not know',
  connected: 'it is already connected, so no consent is needed',
  noAddress: 'it has no e-mail address',
  unsubscribed: 'its customer unsubscribed from e-mail at this address',
  refused: 'the mail server refused its address',
  waiting: 'an e-mail to it is still waiting to be sent',
  reminded: 'it was reminded within the hour',
  remindedOften: 'it was reminded three times within a day',
  underWay: 'it is already invited',
  notInvited: 'it was never invited',
  withdrawn: 'its invitation was withdrawn',
  nothing: 'there is nothing to withdraw',
  declined: 'its customer declined',
  notOut: 'its wave was stopped or removed meanwhile',
} as const;
/** Why an account gets no message. */
export type LeaveReason = keyof typeof leaveWords;
