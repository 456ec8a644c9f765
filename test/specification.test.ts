import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const house = path.join(import.meta.dirname, '..')

/** A fact of docs/specification.md, and what is said to show it: `file: title`. */
type Row = { id: string; says: string; shownBy: string[] }

const rows = readRows()

test('every sentence of the specification names a test that exists', () => {
  const missing = rows.flatMap(({ id, says, shownBy }) =>
    shownBy.length > 0 ? shownBy.flatMap((named) => fault(named).map((why) => `${id}: ${why}`)) : [`${id}: no test shows "${says}"`],
  )
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
  const [, file = '', title = ''] = /^(\S+\.(?:test|spec)\.ts): (.+)$/.exec(named) ?? []
  if (!file) return [`"${named}" is no file: title`]
  if (!existsSync(path.join(house, file))) return [`there is no ${file}`]
  return titlesIn(file).some((exists) => exists.test(title)) ? [] : [`${file} has no test "${title}"`]
}

const known = new Map<string, RegExp[]>()

/** The titles of the tests of a file, as patterns: what a template fills in may be anything. One that `npm test` skips shows nothing. */
function titlesIn(file: string): RegExp[] {
  const kept = known.get(file)
  if (kept) return kept
  const source = readFileSync(path.join(house, file), 'utf8')
  const titles = [
    ...source.matchAll(/^\s*(?:await t\.)?test\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)(?!,\s*fullRunOnly\b)/gm),
  ].map(([, single, double, template]) => {
    const parts = template?.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/) ?? [single ?? double ?? '']
    return new RegExp(`^${parts.map((part) => literally(part.replace(/\\(.)/g, '$1'))).join('.*')}$`)
  })
  known.set(file, titles)
  return titles
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
