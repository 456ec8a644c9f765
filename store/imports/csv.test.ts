import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importLimits } from './contract.ts'
import { CsvReader, type Delimiter, delimiters, formatCsvRow, unescapeFormulaCell } from './csv.ts'

/** The rows of a table that comes in these parts. */
function readRows(parts: string[], delimiter: Delimiter = ','): string[][] {
  const reader = new CsvReader(delimiter)
  const rows = parts.flatMap((text) => [...reader.rows(text)])
  reader.end()
  return rows
}

test('a table is read with each delimiter and each line end, quoted or not, and an empty line is a row', () => {
  for (const delimiter of delimiters)
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const others = delimiters.filter((each) => each !== delimiter).join('')
      const lines = [
        ['sku', 'name'],
        ['A', `"a ""quiet"" fan${delimiter}${others}${lineEnd}black"`],
        [''],
        [`2.5" bracket${others}`, '""'],
        ['', ''],
      ]
      const read = [
        ['sku', 'name'],
        ['A', `a "quiet" fan${delimiter}${others}${lineEnd}black`],
        [''],
        [`2.5" bracket${others}`, ''],
        ['', ''],
      ]
      const text = lines.map((cells) => cells.join(delimiter)).join(lineEnd)
      assert.deepEqual(readRows([text], delimiter), read)
      assert.deepEqual(readRows([text + lineEnd], delimiter), read)
    }
  assert.deepEqual(readRows(['"A"\n"B"']), [['A'], ['B']])
})

test('a quoted cell may go on in the next part of the file, and one that is never closed is refused', () => {
  assert.deepEqual(readRows(['sku\nA,"one\n', 'two\n', 'three"\nB,x\n']), [['sku'], ['A', 'one\ntwo\nthree'], ['B', 'x']])
  assert.throws(() => readRows(['sku\nA,"one\n', 'two\n']), /A cell begins with a quote and the file ends before it is closed/)
})

test('a cell with more behind its closing quote is refused', () => {
  for (const cell of ['"Saw" blade', '"Saw"x', '"Saw" ', '"Saw"";x"y'])
    assert.throws(() => readRows([`A,${cell},1\n`]), /stands more/, cell)
})

test('a row may have 256 kB and not one character more, in one part of the file or in several, and the rows before it count for nothing', () => {
  const limit = importLimits.rowKilobytes * 1024
  const x = (count: number) => 'x'.repeat(count)
  for (const rows of [0, 300]) {
    const first = `${x(999)}\n`.repeat(rows)
    assert.equal(readRows([`${first}${x(limit - 1)}\n`]).length, rows + 1)
    assert.equal(readRows([`${first}${x(limit - 1)}`]).length, rows + 1)
    assert.throws(() => readRows([`${first}${x(limit)}\n`]), /The row is longer than 256 kB/)
    assert.equal(readRows([`${first}"${x(limit - 4)}\n`, '"\n']).length, rows + 1)
    const reader = new CsvReader(',')
    assert.equal([...reader.rows(`${first}"${x(limit - 1)}`)].length, rows)
    assert.throws(() => [...reader.rows('x')], /The row is longer than 256 kB/)
  }
})

test('what is exported is read back as it was, and no cell of it is a formula for a spreadsheet', () => {
  const cells = ['A', '=1+1', '+1', '-1', '@A', "'=1", "''-1", "'text", '\t=1', '\r=1', 'a "b", c;d\n', ' blank ', '', '0611', 'a\tb']
  const row = formatCsvRow(cells)
  assert.ok(row.endsWith('\r\n'))
  const [read = []] = readRows([row])
  assert.deepEqual(read.map(unescapeFormulaCell), cells)
  assert.deepEqual(
    read.filter((cell) => /^[=+\-@\t\r]/.test(cell)),
    [],
  )
})
