// The two that the title of a game names: `[stage:] one at another [: question]`. Any words make a stage. Pure.

export interface TitledPair {
  readonly first: string;
  readonly second: string;
  /** `at`: the second is at home. `vs`: the order of the competition. */
  readonly form: 'at' | 'vs';
}

/** Between the parts of a title. */
const BOUNDARY = /: | [-–—|] |, |; /;
const BETWEEN = / (at|@|vs\.?|v\.?|versus) /i;
/** A stage without a mark behind it, or in brackets. */
const STAGE =
  /^(?:(?:game|leg|round|match|week|matchday|day) (?:\d+|one|two|three|four|five|six|seven)|[([][^)\]]*[)\]]) /i;
/** What is asked, or a stage, without a mark before it. */
const QUESTION =
  / (?:(?:game )?winner|match|(?:game|leg)(?: \d)?|spreads?|totals?|total (?:points|goals|runs)|to advance)\??$/i;
/** `(Game 2)`, `(Aug 9)`, `(If Necessary)`; `(FL)` is a part of a name. */
const REMARK = / \((?:[^)]*\d[^)]*|if necessary|neutral(?: site)?)\)$/i;

/** Every way to read it: of `A vs B at C` two. Empty of a title that names no two. */
export function pairsIn(title: string): readonly TitledPair[] {
  return title
    .trim()
    .replace(/^will .* win the /i, '')
    .split(BOUNDARY)
    .flatMap(pairsInPart);
}

function pairsInPart(part: string): readonly TitledPair[] {
  const pieces = part.trim().split(BETWEEN);
  const pairs: TitledPair[] = [];
  // Names and what is between them take turns.
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
