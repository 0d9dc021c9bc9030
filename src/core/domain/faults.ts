// Figures that are 0 while a gateway is well, and the words for people if they are not. Pure.

export interface Faults {
  readonly accountsUnread: number;
  readonly privateStreamsDown: number;
  readonly rowsHeld: number;
  readonly engineStalled: number;
  readonly protectionsTriggered: number;
  readonly recordingFailed: number;
  readonly divergences: number;
}

const WORDS: Readonly<Record<keyof Faults, (count: number) => string>> = {
  accountsUnread: count => `${count} accounts could not be read`,
  privateStreamsDown: count => `${count} private streams are down`,
  rowsHeld: count => `${count} fills of a venue cannot be read`,
  engineStalled: () => 'the engine does not answer',
  protectionsTriggered: count =>
    `${count} protections are triggered: their actors place no orders there until the reset`,
  recordingFailed: () => 'books are not recorded any more',
  divergences: count => `${count} statements of venues contradict the ledger, since the start`,
};

/** Returns a text for each figure above 0. */
export function faultTexts(faults: Faults): readonly string[] {
  const names = Object.keys(WORDS) as (keyof Faults)[];
  return names.filter(name => faults[name] > 0).map(name => WORDS[name](faults[name]));
}
