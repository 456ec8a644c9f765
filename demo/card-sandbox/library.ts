import { libraryProgram } from './library-program.ts'
import { UNREACHABLE } from './messages.ts'

/** Lets pages of other origins load the script, including those that are cross-origin isolated. */
export const libraryHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serialized with `toString()`, so that it is available however the server is bundled. */
export const libraryScript = `'use strict';\n(${libraryProgram.toString()})(${JSON.stringify(UNREACHABLE)});\n`
