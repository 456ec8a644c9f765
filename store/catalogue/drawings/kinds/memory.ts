import type { Attributes } from '../attributes.ts'
import type { Box, PathCommand, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { capacityText, contacts, label, lightStrip, millimetres } from './shared-shapes.ts'

/** JEDEC: width of a DIMM and of a SO-DIMM, and the place of the notch from the left by generation, mm. */
const widths = { dimm: 133.35, small: 69.6 }
const bareHeight = { dimm: 31.25, small: 30 }
const notches: Record<string, { dimm: number; small: number }> = {
  DDR: { dimm: 71, small: 22 },
  DDR2: { dimm: 61, small: 22 },
  DDR3: { dimm: 53, small: 27 },
  DDR4: { dimm: 70, small: 40 },
  DDR5: { dimm: 66, small: 37 },
}

export const memory: Kind = {
  span: { width: 134, height: 110 },
  draw(sheet, attributes) {
    const size = /SO-?DIMM/i.test(attributes.text('form_factor')) ? 'small' : 'dimm'
    const isFormKnown = /DIMM/i.test(attributes.text('form_factor'))
    const modules = attributes.count('modules', 16)
    const knownHeight = attributes.number('height_mm')
    const height = knownHeight ?? (attributes.is('heat_spreader') && size === 'dimm' ? 35 : bareHeight[size])
    // many modules overlap, so that they keep their size
    const step = (modules ?? 1) > 2 ? Math.max(9, Math.min(height + 6, 96 / (modules ?? 1))) : height + 6
    const shown = Math.min(modules ?? 1, 4)
    for (let nth = 0; nth < shown; nth++)
      drawModule(sheet, attributes, { size, height, top: nth * step, isCovered: step < height && nth < shown - 1 })
    if (modules !== undefined && modules > 4)
      sheet.text(`${modules} x`, [widths[size] - 10, step * 3 + height + 8], { height: 10, width: 40 })
    if (modules === undefined) sheet.rect('u', 0, step, widths[size], height)
    sheet.dimension({ side: 'bottom', from: 0, to: widths[size], text: isFormKnown ? millimetres(widths[size]) : undefined })
    sheet.dimension({ side: 'right', from: 0, to: height, text: knownHeight === undefined ? undefined : millimetres(knownHeight) })
  },
}

type Module = { size: 'dimm' | 'small'; height: number; top: number; isCovered: boolean }

function drawModule(sheet: Sheet, attributes: Attributes, { size, height, top, isCovered }: Module) {
  const width = widths[size]
  const bottom = top + height
  const notch = attributes.lookUp(notches, 'memory_type')?.[size] ?? width / 2
  const board: PathCommand[] = [
    ['M', 0, top],
    ['L', width, top],
    ['L', width, bottom],
    ['L', notch + 1.6, bottom],
    ['L', notch + 1.6, bottom - 4],
    ['L', notch - 1.6, bottom - 4],
    ['L', notch - 1.6, bottom],
    ['L', 0, bottom],
    ['Z'],
  ]
  sheet.path('p', board)
  if (!isCovered) sheet.path('f', board)
  if (!isCovered) {
    contacts(sheet, 4, notch - 3, [bottom - 4.5, bottom - 1], size === 'dimm' ? 5 : 4)
    contacts(sheet, notch + 3, width - 4, [bottom - 4.5, bottom - 1], size === 'dimm' ? 5 : 4)
  }
  if (attributes.is('heat_spreader')) drawSpreader(sheet, attributes, width, top, height)
  else if (attributes.isKnown('heat_spreader') || size === 'small') drawChips(sheet, attributes, width, top, height)
  else sheet.rect('u', 6, top + 4, width - 12, height - 13)
  const speed = attributes.number('speed_mts')
  // as labels write it, without a space: 16GB 6000
  const text = [capacityText(attributes.number('module_gb')).replace(' ', ''), speed ?? ''].join(' ').trim()
  label(sheet, text, [width / 2, top + height * 0.44], width * 0.64, Math.min(16, height * 0.4))
}

function drawSpreader(sheet: Sheet, attributes: Attributes, width: number, top: number, height: number) {
  const [main, accent] = attributes.colours
  const edge = top + height - 7
  const outline: PathCommand[] = [
    ['M', 3, edge],
    ['L', 3, top + 2],
    ['L', 9, top - 1],
    ['L', width * 0.3, top - 1],
    ['L', width * 0.34, top + 2],
    ['L', width * 0.66, top + 2],
    ['L', width * 0.7, top - 1],
    ['L', width - 9, top - 1],
    ['L', width - 3, top + 2],
    ['L', width - 3, edge],
    ['Z'],
  ]
  sheet.path('p', outline)
  sheet.tinted(main, (classes) => sheet.path(classes, outline))
  if (!main) sheet.path('f', outline)
  sheet.tinted(accent, (classes) =>
    sheet.rects(classes, [
      [8, edge - 8, width * 0.09, 5],
      [width * 0.87 - 8, edge - 8, width * 0.09, 5],
    ]),
  )
  sheet.lines('t', [
    [10, top + 8, width * 0.16, top + 8],
    [width * 0.84, top + 8, width - 10, top + 8],
    [10, edge - 10, width * 0.16, edge - 10],
    [width * 0.84, edge - 10, width - 10, edge - 10],
  ])
  if (attributes.is('rgb')) lightStrip(sheet, 'rainbow', 7, width - 7, top + 2.5)
  if (!attributes.isKnown('rgb')) sheet.lines('u m', [[7, top + 2.5, width - 7, top + 2.5]])
}

/** One chip in nine checks the others. Registered modules have a register in the middle. */
function drawChips(sheet: Sheet, attributes: Attributes, width: number, top: number, height: number) {
  const chips = width < 100 ? 4 : attributes.is('ecc') ? 9 : 8
  const step = (width - 10) / chips
  const boxes = Array.from({ length: chips }, (_, nth): Box => [5 + nth * step + step * 0.14, top + 5, step * 0.72, height - 15])
  sheet.tinted(attributes.colours[0], (classes) => sheet.rects(classes, boxes))
  sheet.rects('f', boxes)
  if (/registered|load/i.test(attributes.text('registered')) && !/unbuffered/i.test(attributes.text('registered')))
    sheet.rect('c f', width / 2 - 5, top + height * 0.5, 10, 7)
  if (attributes.is('rgb')) lightStrip(sheet, 'rainbow', 7, width - 7, top + 2)
}
