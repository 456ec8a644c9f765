import type { Attributes } from '../attributes.ts'
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

export const keyboard: Kind = {
  span: { width: 450, height: 210 },
  draw(sheet, attributes) {
    const stated = `${attributes.text('size_mm')} ${attributes.text('size_other')}`.trim()
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
    if (!known) sheet.rect('u', width, top, pitch * 7.5, height, 7)
    const lighting = `${attributes.text('backlighting')} ${attributes.texts('lighting').join(' ')}`
    if (/RGB/.test(lighting)) lightStrip(sheet, 'rainbow', 10, width - 10, top + height - 3)
    else if (/single/i.test(lighting)) lightStrip(sheet, 'white', 10, width - 10, top + height - 3)
    drawExtras(sheet, attributes, width, [top, height])
    const right = width + (known ? 0 : pitch * 7.5)
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
  // rows of keys as strips keep the drawing small
  sheet.rects('t', keys)
}

function drawExtras(sheet: Sheet, attributes: Attributes, width: number, [top, height]: readonly [number, number]) {
  const features = attributes.texts('features').join(' ')
  if (/knob/i.test(features)) sheet.circle('c f', width - 18, top + 14, 9)
  if (/screen|display/i.test(features)) sheet.rect('c f', width - 60, top + 6, 30, 16)
  if (attributes.is('mouse_included')) {
    const left = width + (attributes.text('size_mm') === '' ? pitch * 7.5 : 0) + 18
    sheet
      .rect('f', left, top + height - 108, 58, 104, 28)
      .lines('t', [[left, top + height - 64, left + 58, top + height - 64]])
      .rect('c f', left + 25, top + height - 98, 8, 18, 4)
  }
  if (attributes.is('mechanical'))
    sheet.rect('c f', width * 0.42 + 2, top + height * 0.36, 14, 14).lines('c m', [
      [width * 0.42 + 9, top + height * 0.36 + 3, width * 0.42 + 9, top + height * 0.36 + 11],
      [width * 0.42 + 5, top + height * 0.36 + 7, width * 0.42 + 13, top + height * 0.36 + 7],
    ])
}
