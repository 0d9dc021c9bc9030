// The bounds of actions of a wallet, with their units and reasons.

export const walletLimits = {
  /** The first pause between two looks at an action. The relayer takes 25 requests a minute, and a look makes two. */
  walletLookPauseMs: 5_000,
  walletLookPauseMsMax: 60_000,
  /** A deadline counts as passed only after this time, because the chain's clock, and the relayer's view of the chain, may be behind. */
  walletDeadlineMarginMs: 60_000,
  /** The longest time for which the relayer may still show a nonce that is used. */
  walletNonceLagMs: 900_000,
  /** An action that could not be signed for this long is given up. Nothing of it was sent. */
  walletUnsignedMs: 600_000,
  /**
   * An action that was recorded this long before a start, and still waits, is not sent any more. If a backup was restored, it may be done
   * already.
   */
  walletPendingMsMax: 600_000,
  /**
   * The pause between two looks for winners to redeem without a request. Each look may make one action, which takes some eight requests to
   * the relayer.
   */
  autoRedeemPauseMs: 60_000,
  /** The number of tokens about which one such look asks the venue. The other tokens follow at the next look. */
  autoRedeemTokensPerLook: 5,
  /** The most open actions of a pod. They wait for each other. */
  walletActionsOpenMax: 64,
} as const;
