import assert from 'node:assert/strict'
import type { Store } from '#test/store.ts'
import { type Definitions, DefinitionsFile, DefinitionsReport } from './contract.ts'
import { originalDefinitions } from './stored-definitions.ts'

/* What owners do in the tests of definitions, through the API. */

export async function exportDefinitions(store: Store, revision?: number): Promise<DefinitionsFile> {
  const { statusCode, body } = await store.admin.request('GET', `/catalogue-definitions${revision ? `?revision=${revision}` : ''}`)
  assert.equal(statusCode, 200, body)
  return DefinitionsFile.parse(JSON.parse(body))
}

export async function importDefinitions(store: Store, file: DefinitionsFile, isDryRun = false): Promise<DefinitionsReport> {
  const { statusCode, body } = await store.admin.request('PUT', `/catalogue-definitions${isDryRun ? '?dry_run=yes' : ''}`, file)
  assert.equal(statusCode, 200, body)
  return DefinitionsReport.parse(JSON.parse(body))
}

export const changed = ({ definitions }: { definitions: Definitions }, change: (definitions: Definitions) => unknown): Definitions => {
  const copy = structuredClone(definitions)
  change(copy)
  return copy
}
export const category = ({ categories }: Definitions, key: string) => categories.find((one) => one.key === key) ?? assert.fail(key)
export const attribute = (definitions: Definitions, of: string, key: string) =>
  category(definitions, of).attributes.find((one) => one.key === key) ?? assert.fail(key)

/** Sends changed definitions of a new store. */
export const putChanged = (store: Store, change: (all: Definitions) => unknown) =>
  store.admin.request('PUT', '/catalogue-definitions', { revision: 0, definitions: changed({ definitions: originalDefinitions }, change) })

/** The answer to definitions that are refused. */
export async function refusal(store: Store, change: (all: Definitions) => unknown): Promise<string> {
  const { statusCode, body } = await putChanged(store, change)
  assert.equal(statusCode, 400, body)
  return body
}
