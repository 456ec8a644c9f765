import type { Attributes } from '../attributes.ts'
import type { Tone } from '../palette.ts'
import type { Box, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { drawConnections, lightStrip } from './shared-shapes.ts'

/** mm: the pitch of keys. */
const pitch = 19.05

/** Keys across and rows by layout; `numbers`: with a numeric block. */
const layouts: [name: RegExp, layout: { across: number; rows: number; numbers?: true; arrows?: true }][] = [
  [/^Full/, { across: 22.5, rows: 6, numbers: true, arrows: true }],
  [/^96\b/, { across: 19, rows: 6, numbers: true }],
  [/^(TKL|80\b)/, { across: 18.25, rows: 6, arrows: true }],
  [/^(Compact \(75|75\b)/, { across: 16, rows: 6 }],
  [/^65\b/, { across: 16, rows: 5 }],
  [/^60\b/, { across: 15, rows: 5 }],
  [/^Numpad/, { across: 4, rows: 5 }],
]

/** How names tell the layout: by the number of keys, or by the percent of a whole keyboard. */
const namedLayouts: [name: RegExp, stated: string][] = [
  [/\b(?:87|88)[ -]?keys?\b|\bTKL\b|\btenkeyless\b/i, 'TKL (80%)'],
  [/\b10[458][ -]?keys?\b|\bfull[ -]size\b/i, 'Full Size'],
  [/\b61[ -]?keys?\b|\b60 ?%/i, '60%'],
  [/\b6[678][ -]?keys?\b|\b65 ?%/i, '65%'],
  [/\b8[1-4][ -]?keys?\b|\b75 ?%/i, '75%'],
  [/\b9[689] ?%/i, '96%'],
]

function layoutText(attributes: Attributes): string {
  const stated = `${attributes.text('size_mm')} ${attributes.text('size_other')}`.trim()
  return stated || (namedLayouts.find(([name]) => name.test(attributes.name))?.[1] ?? '')
}

/** Keys beside the letters that there may be or not, in pitches: a mini keyboard has no numeric block. */
const blockBeside = (attributes: Attributes) => (/\bmini\b/i.test(attributes.name) ? 3.25 : 7.5) * pitch

export const keyboard: Kind = {
  span: { width: 450, height: 210 },
  draw(sheet, attributes) {
    const stated = layoutText(attributes)
    const beside = blockBeside(attributes)
    const [, known] = layouts.find(([name]) => name.test(stated)) ?? []
    const { across, rows } = known ?? { across: 15, rows: 6 }
    const edge = 8
    const [width, height] = [across * pitch + edge * 2, rows * pitch + edge * 2 + (rows === 6 ? 6 : 0)]
    const top = 34
    drawConnection(sheet, attributes, width, top)
    sheet.tinted(attributes.colours[0], (classes) => sheet.rect(classes, 0, top, width, height, 7))
    sheet.rect('f', 0, top, width, height, 7)
    drawKeys(sheet, known ?? { across, rows }, [edge, top + edge])
    // without a known layout the blocks beside the letters may be there or not
    if (!known) sheet.rect('u', width, top, beside, height, 7)
    lightStrip(sheet, attributes.light('backlighting') ?? attributes.light('lighting'), 10, width - 10, top + height - 3)
    drawExtras(sheet, attributes, [width, known ? 0 : beside], [top, height])
    const right = width + (known ? 0 : beside)
    if (known) sheet.text(stated, [right / 2, top + height + 14], { height: 16, width: right })
    else sheet.dimension({ side: 'bottom', from: 0, to: right, text: undefined })
  },
}

function drawConnection(sheet: Sheet, attributes: Attributes, width: number, top: number) {
  drawConnections(sheet, attributes.texts('connectivity'), {
    cable: [width * 0.45, top],
    radio: [width * 0.2, top - 6],
    bluetooth: [width * 0.08, top - 30],
  })
}

function drawKeys(
  sheet: Sheet,
  { across, rows, numbers, arrows }: { across: number; rows: number; numbers?: true; arrows?: true },
  [left, top]: readonly [number, number],
) {
  const letters = across < 5 ? across : arrows ? 15 : numbers ? 15 : across
  const keys: Box[] = []
  const key = (column: number, row: number, wide = 1) =>
    keys.push([left + column * pitch + 1.5, top + row * pitch + (rows === 6 && row > 0 ? 6 : 0) + 1.5, wide * pitch - 3, pitch - 3])
  for (let row = 0; row < rows; row++) {
    const isLast = row === rows - 1 && letters >= 15
    for (let column = 0; column < letters; column++) {
      if (isLast && column > 3 && column < 10) continue
      key(column, row)
    }
    if (isLast) key(4, row, 6)
  }
  if (arrows) {
    for (const row of [0, 1, 2]) for (const column of [15.25, 16.25, 17.25]) key(column, row)
    key(16.25, rows - 2)
    for (const column of [15.25, 16.25, 17.25]) key(column, rows - 1)
  }
  if (numbers) for (let row = rows - 5; row < rows; row++) for (let column = 0; column < 4; column++) key(across - 4 + column, row)
  // in small drawings, without lines, the blocks of keys are seen
  const row = (nth: number) => top + nth * pitch + (rows === 6 && nth > 0 ? 6 : 0) + 1.5
  const first = rows === 6 ? 1 : 0
  const block = (column: number, columns: number, from: number, to: number): Box => [
    left + column * pitch + 1.5,
    row(from),
    columns * pitch - 3,
    row(to) - row(from) + pitch - 3,
  ]
  const blocks = [block(0, letters, first, rows - 1)]
  if (rows === 6) blocks.push(block(0, arrows ? 18.25 : letters, 0, 0))
  if (arrows) blocks.push(block(15.25, 3, 1, 2), block(16.25, 1, rows - 2, rows - 2), block(15.25, 3, rows - 1, rows - 1))
  if (numbers) blocks.push(block(across - 4, 4, rows - 5, rows - 1))
  sheet.rects('s', blocks).rects('t', keys)
}

function drawExtras(
  sheet: Sheet,
  attributes: Attributes,
  [width, beside]: readonly [number, number],
  [top, height]: readonly [number, number],
) {
  const features = attributes.texts('features').join(' ')
  if (/knob/i.test(features)) sheet.circle('c f', width - 18, top + 14, 9)
  if (/screen|display/i.test(features)) sheet.rect('c f', width - 60, top + 6, 30, 16)
  if (attributes.is('mouse_included')) {
    const left = width + beside + 18
    sheet
      .rect('f', left, top + height - 108, 58, 104, 28)
      .lines('t', [[left, top + height - 64, left + 58, top + height - 64]])
      .rect('c f', left + 25, top + height - 98, 8, 18, 4)
  }
  if (hasSwitches(attributes)) drawSwitch(sheet, attributes.tones('switch')[0], width - 36)
}

const hasSwitches = (attributes: Attributes) =>
  attributes.is('mechanical') ||
  (attributes.has('switch') && !/membrane|scissor|dome|rubber/i.test(`${attributes.text('switch')} ${attributes.text('switch_type')}`))

/** One of its switches beside it, larger than it is, with the stem in the colour that names it. */
function drawSwitch(sheet: Sheet, tone: Tone | undefined, x: number) {
  const stem = (classes: string) => sheet.rect(classes, x + 5, 5, 18, 18, 3)
  sheet.rect('f m', x, 0, 28, 28, 3)
  sheet.tinted(tone, stem)
  stem('c m')
  sheet.lines('c m', [
    [x + 14, 8, x + 14, 20],
    [x + 8, 14, x + 20, 14],
  ])
}
