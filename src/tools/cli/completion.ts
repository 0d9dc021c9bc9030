// `crossbook completion` prints scripts that complete commands, their words and their options in a shell. The scripts are made from the
// help of the commands.

import { UsageError } from './command-io.ts';

export const SHELLS = 'bash, zsh or fish';

interface Words {
  readonly command: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
}

/** `usages` is the help of each command. Throws a UsageError for an unknown shell. */
export function completionScript(shell: string, usages: ReadonlyMap<string, string>): string {
  const commands = [...usages].map(([command, usage]) => wordsOf(command, usage));
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case 'fish':
      return fishScript(commands);
    default:
      throw new UsageError(`completion: must be followed by ${SHELLS}`);
  }
}

/** Finds the words that may follow the command in lines such as `  order submit MARKET …` of its help. */
function wordsOf(command: string, usage: string): Words {
  const words = [...usage.matchAll(new RegExp(`^  ${command} ([a-z][a-z-]*)\\b`, 'gm'))].map(([, word]) => word!);
  const options = [...usage.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
  return { command, words: [...new Set(words)], options: [...new Set(options)] };
}

function bashScript(commands: readonly Words[]): string {
  const cases = commands.map(({ command, words, options }) => {
    return `    ${command}) words='${words.join(' ')}' options='${options.join(' ')}' ;;\n`;
  });
  const names = commands.map(({ command }) => command).join(' ');
  return `_crossbook() {
  local typed=\${COMP_WORDS[COMP_CWORD]} words='' options=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$typed")); return; fi
  case \${COMP_WORDS[1]} in
${cases.join('')}  esac
  case $typed in
    -*) COMPREPLY=($(compgen -W "$options" -- "$typed")) ;;
    *) if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$typed")); fi ;;
  esac
}
complete -o default -F _crossbook crossbook
`;
}

function fishScript(commands: readonly Words[]): string {
  const first = commands.map(({ command }) => `complete -c crossbook -n __fish_use_subcommand -a ${command}\n`);
  const rest = commands.flatMap(({ command, words, options }) => {
    const line = `complete -c crossbook -n '__fish_seen_subcommand_from ${command}'`;
    return [
      ...(words.length === 0 ? [] : [`${line} -a '${words.join(' ')}'\n`]),
      ...options.map(option => `${line} -l ${option.slice(2)}\n`),
    ];
  });
  return `complete -c crossbook -f\n${[...first, ...rest].join('')}`;
}
