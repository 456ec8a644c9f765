import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { fan, lightColumn, lightStrip, millimetres } from './shared-shapes.ts'

export const cpuCooler: Kind = {
  span: { width: 300, height: 190 },
  draw(sheet, attributes) {
    if (attributes.is('water_cooled')) drawRadiator(sheet, attributes)
    else drawHeatSink(sheet, attributes)
  },
}

/** Where no attribute tells of lights, the name does. */
const lightOf = (attributes: Attributes) => (attributes.texts('color').some((one) => /RGB/i.test(one)) ? 'rainbow' : attributes.lightOfName)

/** A radiator has the length of its fans and its tanks, about 36 mm. */
const tanks = 36

function drawRadiator(sheet: Sheet, attributes: Attributes) {
  const known = attributes.number('radiator_mm')
  const radiator = known ?? 240
  const fanSize = attributes.number('fan_mm') ?? (radiator % 140 === 0 ? 140 : 120)
  const count = Math.max(1, Math.round(radiator / fanSize))
  const length = radiator + tanks
  const [main, accent] = attributes.colours
  const body = (classes: string) => sheet.rect(classes, 0, 0, length, fanSize, 5)
  sheet.tinted(main, body)
  body(known === undefined ? 'f u' : 'f')
  for (let nth = 0; nth < count; nth++) {
    const x = tanks / 2 + fanSize * (nth + 0.5)
    sheet.rect('', tanks / 2 + fanSize * nth, 0, fanSize, fanSize, 5)
    sheet.tinted(accent ?? main, (classes) => sheet.circle(classes, x, fanSize / 2, fanSize * 0.4))
    fan(sheet, x, fanSize / 2, fanSize * 0.45, { light: lightOf(attributes) })
  }
  const top = fanSize + 22
  // beside the pump of a long radiator is room for the maker's name
  const isLong = radiator > 200
  const middle = length * (isLong ? 0.62 : 0.5)
  sheet.path('', [
    ['M', length - 6, fanSize],
    ['C', length - 6, top + 20, middle + 60, top + 20, middle + 27, top + 20],
    ['M', length - 14, fanSize],
    ['C', length - 14, top + 10, middle + 60, top + 10, middle + 27, top + 10],
  ])
  sheet.tinted(main, (classes) => sheet.rect(classes, middle - 27, top, 54, 46, 9))
  sheet.rect('f', middle - 27, top, 54, 46, 9)
  if (/\b(?:LCD|OLED|screen|display)\b/i.test(attributes.name))
    sheet.rect('p', middle - 20, top + 6, 40, 34, 5).path('c', [
      ['M', middle - 13, top + 28],
      ['L', middle - 4, top + 18],
      ['L', middle + 4, top + 25],
      ['L', middle + 13, top + 15],
    ])
  else sheet.circle('c f', middle, top + 23, 13)
  if (isLong) sheet.text(attributes.brand, [(middle - 32) / 2, top + 24], { height: 40, width: middle - 36 })
  sheet.dimension({ side: 'bottom', from: tanks / 2, to: tanks / 2 + radiator, text: known === undefined ? undefined : millimetres(known) })
}

/** From the side. Below this height the fan lies on the fins and blows down. */
const towerHeight = 100

function drawHeatSink(sheet: Sheet, attributes: Attributes) {
  const known = attributes.number('height_mm')
  const height = known ?? 150
  const fanSize = Math.min(attributes.number('fan_mm') ?? 120, 140)
  const outline = known === undefined ? 'f u' : 'f'
  const isPassive = attributes.is('fanless')
  const [main, accent] = attributes.colours
  const fans = isPassive ? 0 : (attributes.count('fans', 2) ?? 1)
  const foot = (left: number, width: number) =>
    sheet.rect('c f', left + width / 2 - 20, height - 10, 40, 6).rect('f', left + width / 2 - 24, height - 4, 48, 4)
  if (height < towerHeight) {
    const fanHeight = isPassive ? 0 : Math.min(25, height * 0.4)
    const width = attributes.number('fan_mm') ?? 100
    const fins = (classes: string) => sheet.rect(classes, 0, fanHeight, width, height - fanHeight - 14)
    sheet.tinted(main, fins)
    fins(outline)
    sheet.lines(
      't',
      Array.from({ length: Math.floor(width / 6) - 1 }, (_, nth) => [(nth + 1) * 6, fanHeight + 2, (nth + 1) * 6, height - 16] as const),
    )
    if (!isPassive) drawFanFromSide(sheet, 0, 0, width, fanHeight, accent ?? main, true)
    if (!isPassive) lightStrip(sheet, lightOf(attributes), 3, width - 3, 0)
    foot(0, width)
  } else {
    const depth = 26
    const width = fans > 1 ? 110 : 62
    const fanSide = Math.min(fanSize, height - 22)
    const left = fans > 0 ? depth + 2 : 0
    const body = (classes: string) => sheet.rect(classes, left, 0, width, height - 26, 2)
    sheet.tinted(main, body)
    body(outline)
    const fins = Math.floor((height - 34) / 7)
    sheet.lines(
      't',
      Array.from({ length: fins }, (_, nth) => [left + 3, 7 + nth * 7, left + width - 3, 7 + nth * 7] as const),
    )
    sheet.lines(
      'c',
      [0.28, 0.5, 0.72].map((share) => [left + width * share, 1, left + width / 2 + (share - 0.5) * 34, height - 10] as const),
    )
    if (fans > 0) drawFanFromSide(sheet, 0, 8, depth, fanSide, accent ?? main, false)
    if (fans > 1) drawFanFromSide(sheet, left + width + 2, 8, depth, fanSide, accent ?? main, false)
    if (fans > 0) lightColumn(sheet, lightOf(attributes), 0, [10, 6 + fanSide])
    if (fans > 1) lightColumn(sheet, lightOf(attributes), left + width + 2 + depth, [10, 6 + fanSide])
    foot(left, width)
  }
  sheet.dimension({ side: 'right', from: 0, to: height, text: known === undefined ? undefined : millimetres(known) })
}

function drawFanFromSide(
  sheet: Sheet,
  x: number,
  y: number,
  width: number,
  height: number,
  tone: Attributes['colours'][number] | undefined,
  isFlat: boolean,
) {
  sheet.tinted(tone, (classes) => sheet.rect(classes, x, y, width, height, 3))
  sheet.rect('f', x, y, width, height, 3)
  if (isFlat)
    sheet
      .lines('t', [[x + width * 0.3, y + height / 2, x + width * 0.7, y + height / 2]])
      .rect('c f', x + width * 0.38, y, width * 0.24, height)
  else
    sheet
      .lines('t', [[x + width / 2, y + height * 0.2, x + width / 2, y + height * 0.8]])
      .rect('c f', x, y + height * 0.38, width, height * 0.24)
}
