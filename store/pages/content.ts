import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type * as z from 'zod'
import { StartupError } from '#platform/startup-error.ts'
import { Help, PortfolioContent } from './contract.ts'

/** Content that the owner edits in JSON files. */
export type SiteContent = { portfolio: PortfolioContent; help: Help }

/** @throws {StartupError} see `loadContentFile` */
export const loadSiteContent = async (folder: string): Promise<SiteContent> => ({
  portfolio: await loadContentFile(path.join(folder, 'portfolio.json'), PortfolioContent),
  help: await loadContentFile(path.join(folder, 'help.json'), Help),
})

/**
 * Reads and validates a content file.
 * @throws {StartupError} with one line for each problem, e.g. `portfolio.json: education[0].school is a text that is not empty`
 */
export async function loadContentFile<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.output<Schema>> {
  const name = path.relative('.', file)
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartupError(`${name} cannot be read: ${error.message}`)
  })
  const parsed = schema.safeParse(parseJson(text, name))
  if (parsed.success) return parsed.data
  throw new StartupError(
    parsed.error.issues
      .flatMap(issueMessages)
      .map((message) => `${name}: ${message}`)
      .join('\n'),
  )
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) // some editors add a byte order mark
  } catch (error) {
    // The message quotes part of the file, including line breaks.
    throw new StartupError(`${name} is not JSON: ${String(error).replaceAll(/\s+/g, ' ')}`)
  }
}

function issueMessages(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${formatPath([...issue.path, key])} is not known here`)
  return [`${formatPath(issue.path) || 'all of it'} ${issue.message}`]
}

/** `['education', 0, 'school']` becomes `education[0].school`. */
const formatPath = (keys: PropertyKey[]) =>
  keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
