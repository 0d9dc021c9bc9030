// What the refusal of an unknown path says beside the venue's own words. Pure.

export const NOT_SERVED = {
  details: 'the paper exchange does not serve this path: docs/PAPER.md, What is left out',
} as const;
