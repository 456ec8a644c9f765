import { libraryProgram } from './library-program.ts'
import { UNREACHABLE } from './messages.ts'

/** A page of another origin may load it by a script tag, also where it asks for CORS or isolates itself. */
export const libraryHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Sent as text of the function itself, so that it is there in whatever way the server is bundled. */
export const libraryScript = `'use strict';\n(${libraryProgram.toString()})(${JSON.stringify(UNREACHABLE)});\n`
