import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const house = path.join(import.meta.dirname, '..')

/** A fact of docs/specification.md, and what is said to show it: `file: title`. */
type Row = { id: string; says: string; shownBy: string[] }

const rows = readRows()

test('every sentence of the specification names a test that `npm test` runs, and none that does not exist', () => {
  const missing = rows.flatMap(({ id, says, shownBy }) => [
    ...shownBy.flatMap((named) => fault(named).map((why) => `${id}: ${why}`)),
    ...(shownBy.some((named) => testsNamed(named).some(({ inFullRunOnly }) => !inFullRunOnly)) ? [] : [`${id}: no test shows "${says}"`]),
  ])
  assert.equal(missing.length, 0, `${missing.length} faults in docs/specification.md\n${missing.join('\n')}`)
})

test('the specification has a row for each of its sentences, and no number twice', () => {
  assert.ok(rows.length >= 150, `${rows.length} rows`)
  const ids = rows.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, nth) => ids.indexOf(id) !== nth),
    [],
  )
})

function readRows(): Row[] {
  const lines = readFileSync(path.join(house, 'docs/specification.md'), 'utf8').split('\n')
  return lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )
    .filter(([id = '']) => id !== 'row' && !/^-+$/.test(id))
    .map(([id = '', says = '', shownBy = '', ...others]) => {
      assert.ok(
        /^(\d|[a-z]+)\.\d+[a-z]?$/.test(id) && says !== '' && others.length === 1,
        `The row "${id}" has an id, a fact and four columns`,
      )
      return { id, says, shownBy: shownBy.split('<br>').filter(Boolean) }
    })
}

/** What is wrong with the name of a test, if anything. */
function fault(named: string): string[] {
  const { file, title } = parseName(named)
  if (!file) return [`"${named}" is no file: title`]
  if (!existsSync(path.join(house, file))) return [`there is no ${file}`]
  return testsNamed(named).length > 0 ? [] : [`${file} has no test "${title}"`]
}

function testsNamed(named: string): TitledTest[] {
  const { file, title } = parseName(named)
  return file && existsSync(path.join(house, file)) ? testsIn(file).filter((one) => one.title.test(title)) : []
}

function parseName(named: string) {
  const [, file = '', title = ''] = /^(\S+\.(?:test|spec)\.ts): (.+)$/.exec(named) ?? []
  return { file, title }
}

/** A title as a pattern: what a template fills in may be anything. */
type TitledTest = { title: RegExp; inFullRunOnly: boolean }

const known = new Map<string, TitledTest[]>()

function testsIn(file: string): TitledTest[] {
  const kept = known.get(file)
  if (kept) return kept
  const source = readFileSync(path.join(house, file), 'utf8')
  const tests = [
    ...source.matchAll(
      /^\s*(?:await t\.)?test\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)(,\s*(?:fullRunOnly|fullRunJourney)\b)?/gm,
    ),
  ].map(([, single, double, template, fullRun]) => {
    const parts = template?.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/) ?? [single ?? double ?? '']
    const title = new RegExp(`^${parts.map((part) => literally(part.replace(/\\(.)/g, '$1'))).join('.*')}$`)
    return { title, inFullRunOnly: fullRun !== undefined }
  })
  known.set(file, tests)
  return tests
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
