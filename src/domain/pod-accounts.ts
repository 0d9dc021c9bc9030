// A pod's accounts at the venues: addresses and credentials, from the operator's configuration or of the paper exchanges. Secrets:
// never logged, never in an error, never stored by us beside the files that they came from.

export interface VenueAAccount {
  readonly restUrl: string;
  readonly userStreamUrl: string;
  readonly dataUrl: string;
  /** JSON-RPC of a node of the chain; it may hold a key. Absent: what is not converted is not looked for. */
  readonly rpcUrl?: string;
  readonly chainId: number;
  /** Of the signer, 64 hex digits. */
  readonly privateKey: string;
  /** Whose money: the signer's own address, or its proxy, Safe or deposit wallet. */
  readonly funder: string;
  /** 0 EOA, 1 proxy, 2 Safe, 3 deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface VenueBTradingAccount {
  readonly restUrl: string;
  readonly streamUrl: string;
  readonly keyId: string;
  /** RSA or Ed25519. */
  readonly privateKeyPem: string;
  /** The venue's balance counts what resting orders hold back as available. */
  readonly isBalanceGross?: boolean;
}

export interface PodAccounts {
  readonly podId: string;
  /** 32 bytes, hex: order ids are derived from it, and stay the same as long as it does. */
  readonly secretHex: string;
  readonly venueA: VenueAAccount | null;
  readonly venueB: VenueBTradingAccount | null;
}
