import type { Plugin } from 'vite'

/**
 * Writes what is not ASCII as escape sequences in the chunks of a server: for one sign above U+00FF V8 keeps the whole source with two bytes for
 * each sign.
 */
export const escapeNonAscii = (isWanted: (environment: string) => boolean = () => true): Plugin => ({
  name: 'escape-non-ascii',
  applyToEnvironment: ({ name }) => isWanted(name),
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = escapeSigns(chunk.code)
  },
})

/** @throws where the sign is escaped already: a second backslash would make it a backslash and letters */
function escapeSigns(code: string): string {
  const escaped = code.match(/(?<!\\)(?:\\\\)*\\[^\0-\x7f]/)
  if (escaped) throw new Error(`Write ${escaped[0]} without its backslash`)
  return code.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
