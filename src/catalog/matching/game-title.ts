// Reads the two opponents from a game's title: `[stage:] one at another [: question]`. Any words may be a stage. Pure.

import type { VenueEvent } from '../../venues/discovery.ts';

export interface TitledPair {
  readonly first: string;
  readonly second: string;
  /** `at`: the second is at home. `vs`: the competition's order. */
  readonly form: 'at' | 'vs';
}

/** Between the parts of a title. */
const BOUNDARY = /: | [-–—|] |, |; /;
/** A capital `V` ends a name: `Tokyo V vs Kashima`. */
const BETWEEN = / ([Aa][Tt]|@|[Vv][Ss]\.?|v\.?|[Vv]ersus) /;
/** A stage without a colon behind it, or in brackets. */
const STAGE =
  /^(?:(?:game|leg|round|match|week|matchday|day) (?:\d+|one|two|three|four|five|six|seven)|[([][^)\]]*[)\]]) /i;
/** A question or a stage without a colon before it. */
const QUESTION =
  / (?:(?:game )?winner|match|(?:game|leg)(?: \d)?|spreads?|totals?|total (?:points|goals|runs)|to advance)\??$/i;
/** `(Game 2)`, `(Aug 9)`, `(If Necessary)`; but `(FL)` is a part of a name. */
const REMARK = / \((?:[^)]*\d[^)]*|if necessary|neutral(?: site)?)\)$/i;

/** `(Women's Flyweight, Main Card)`: no name has brackets with a comma. */
const WEIGHT = / \([^()]*, [^()]*\)$/;

/** Every way to read the title of each event whose title names two opponents. */
export function titlesOf(parts: readonly { readonly event: VenueEvent }[]): readonly (readonly TitledPair[])[] {
  return parts.map(({ event }) => pairsIn(event.title)).filter(ways => ways.length > 0);
}

/** Every way to read the title: two for `A vs B at C`. Empty if it does not name two opponents. */
export function pairsIn(title: string): readonly TitledPair[] {
  return title
    .trim()
    .replace(/^will .* win the /i, '')
    .replace(WEIGHT, '')
    .split(BOUNDARY)
    .flatMap(pairsInPart);
}

function pairsInPart(part: string): readonly TitledPair[] {
  const pieces = part.trim().split(BETWEEN);
  const pairs: TitledPair[] = [];
  // Names and separators alternate.
  for (let at = 0; at + 2 < pieces.length; at += 2) {
    const [first, second] = [firstName(pieces[at]!), lastName(pieces[at + 2]!)];
    const form = /^(?:at|@)$/i.test(pieces[at + 1]!) ? 'at' : 'vs';
    if (first !== '' && second !== '') pairs.push({ first, second, form });
  }
  return pairs;
}

function firstName(text: string): string {
  return text.trim().replace(STAGE, '').replace(REMARK, '');
}

function lastName(text: string): string {
  const [name, shorter] = [text.trim(), text.trim().replace(QUESTION, '').replace(/\?$/, '').replace(REMARK, '')];
  return shorter === name ? name : lastName(shorter);
}
