// How many random operations the properties of the matching engine are tried with: some in `npm test`, a million by `npm run engine`.

export const OPERATIONS = Number(process.env.ENGINE_OPERATIONS ?? 100_000);
/** The expected frequencies are stated for this number of operations. */
export const MILLION = 1_000_000;
