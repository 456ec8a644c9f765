import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type * as z from 'zod'
import { CannotStart } from '#platform/cannot-start.ts'
import { Help, Portfolio } from './contract.ts'

/** What the owner writes without knowing the code. */
export type Content = { portfolio: Portfolio; help: Help }

/** @throws {CannotStart} see `readWritten` */
export const readContent = async (folder: string): Promise<Content> => ({
  portfolio: await readWritten(path.join(folder, 'portfolio.json'), Portfolio),
  help: await readWritten(path.join(folder, 'help.json'), Help),
})

/**
 * What the owner has written into this file.
 * @throws {CannotStart} with one line for each thing that is wrong with it, e.g. `portfolio.json: education[0].school is a text that is not empty`
 */
export async function readWritten<Written extends z.ZodType>(file: string, as: Written): Promise<z.output<Written>> {
  const name = path.relative('.', file)
  const written = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CannotStart(`${name} cannot be read: ${error.message}`)
  })
  const read = as.safeParse(parse(written, name))
  if (read.success) return read.data
  throw new CannotStart(
    read.error.issues
      .flatMap(faults)
      .map((fault) => `${name}: ${fault}`)
      .join('\n'),
  )
}

function parse(written: string, name: string): unknown {
  try {
    return JSON.parse(written.replace(/^\uFEFF/, '')) // some editors begin a file with a byte order mark
  } catch (error) {
    // The message quotes a piece of the file, line breaks and all.
    throw new CannotStart(`${name} is not JSON: ${String(error).replaceAll(/\s+/g, ' ')}`)
  }
}

function faults(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${placeOf([...issue.path, key])} is not known here`)
  return [`${placeOf(issue.path) || 'all of it'} ${issue.message}`]
}

/** `['education', 0, 'school']` as the owner would write it: `education[0].school`. */
const placeOf = (keys: PropertyKey[]) =>
  keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
