// The bounds of actions of a wallet, with their units and reasons.

export const walletLimits = {
  /** First pause between two looks at an action. The relayer takes 25 requests a minute, and a look makes two. */
  walletLookPauseMs: 5_000,
  walletLookPauseMsMax: 60_000,
  /** The chain's clock may be behind ours, and so may what the relayer shows of it: a deadline counts as passed after this. */
  walletDeadlineMarginMs: 60_000,
  /** The longest time for which the relayer may show a nonce that is used. */
  walletNonceLagMs: 900_000,
  /** An action that cannot be signed for so long is given up: nothing of it was sent. */
  walletUnsignedMs: 600_000,
  /** An action that was recorded so long before a start and waits is not sent any more: of a backup it may be done already. */
  walletPendingMsMax: 600_000,
  /** Pause between two looks for winners that nobody has requested. Each may make one action, which takes some eight requests to the relayer. */
  autoRedeemPauseMs: 60_000,
  /** Tokens of which such a look asks the venue; the others follow at the next. */
  autoRedeemTokensPerLook: 5,
  /** Open actions of a pod; they wait for each other. */
  walletActionsOpenMax: 64,
} as const;
