// The teams of a competition, by any name or code that a venue has for them. A name that two of them share is nobody's. Pure.

import { normalized } from './names.ts';

export interface Team {
  /** Within its competition, for good. */
  readonly id: string;
  readonly name: string;
}

export class TeamTable {
  readonly #byName = new Map<string, Team | null>();
  readonly #byCode = new Map<string, Team | null>();

  /**
   * A team a line: `id | name | other names, … | codes, …`. Its id, in capitals, is a code as well; the last two may be left out.
   * Names change: a club that is renamed keeps its id and gets another name.
   */
  constructor(lines: string) {
    for (const line of lines.trim().split('\n')) {
      const [id = '', name = '', others = '', codes = ''] = line.split('|').map(part => part.trim());
      const team: Team = { id, name };
      for (const one of [name, ...listOf(others)]) enter(this.#byName, normalized(one), team);
      for (const code of [id.toUpperCase(), ...listOf(codes)]) enter(this.#byCode, code, team);
    }
  }

  /** Null: unknown, or more than one is called so. */
  named(name: string): Team | null {
    return this.#byName.get(normalized(name)) ?? null;
  }

  coded(code: string): Team | null {
    return this.#byCode.get(code.toUpperCase()) ?? null;
  }

  /** The two whose codes, one after the other, are this text; null unless there is exactly one way to read it. */
  pair(codes: string): readonly [Team, Team] | null {
    const ways: (readonly [Team, Team])[] = [];
    for (let at = 1; at < codes.length; at += 1) {
      const [first, second] = [this.coded(codes.slice(0, at)), this.coded(codes.slice(at))];
      if (first !== null && second !== null && first !== second) ways.push([first, second]);
    }
    return ways.length === 1 ? ways[0]! : null;
  }
}

function listOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map(one => one.trim());
}

function enter(names: Map<string, Team | null>, name: string, team: Team): void {
  const known = names.get(name);
  names.set(name, known === undefined || known?.id === team.id ? team : null);
}
