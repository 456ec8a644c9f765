import type { Attributes } from '../attributes.ts'
import type { Box, PathCommand, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { millimetres } from './shared-shapes.ts'

/** mm: the package by the beginning of its socket's name. `pins`: it has pins itself, not pads. */
const packages: [socket: RegExp, width: number, height: number, hasPins?: true][] = [
  [/^LGA1[78]/, 37.5, 45],
  [/^LGA(115|120)/, 37.5, 37.5],
  [/^LGA(2011|2066)/, 52.5, 45],
  [/^LGA1[36]/, 42.5, 45],
  [/^LGA775/, 37.5, 37.5],
  [/^AM5/, 40, 40],
  [/^(AM|FM)\d/, 40, 40, true],
  [/^(sTR|SP3)/, 75.4, 58.5],
  [/^G34/, 60, 42.5],
]

export const packageOf = (socket: string) => {
  const [, width, height, hasPins] = packages.find(([pattern]) => pattern.test(socket)) ?? []
  return width && height ? { width, height, hasPins: hasPins === true } : undefined
}

/** From above: package and lid of its socket, and under the lid, as if one looked through, its cores. */
export const processor: Kind = {
  span: { width: 76, height: 59 },
  draw(sheet, attributes) {
    const socket = attributes.text('socket')
    const known = packageOf(socket)
    const { width, height } = known ?? { width: 40, height: 40 }
    sheet.rect(known ? 'f' : 'f u', 0, 0, width, height, 1.2)
    drawEdge(sheet, socket, width, height, known?.hasPins === true)
    drawLid(sheet, socket, width, height)
    drawCores(sheet, attributes, width, height)
    sheet.path('g d', [['M', 1, height - 1], ['L', 4, height - 1], ['L', 1, height - 4], ['Z']])
    sheet.dimension({ side: 'bottom', from: 0, to: width, text: known && millimetres(width) })
    sheet.dimension({ side: 'right', from: 0, to: height, text: known && millimetres(height) })
  },
}

function drawEdge(sheet: Sheet, socket: string, width: number, height: number, hasPins: boolean) {
  if (hasPins) {
    const dots = Array.from({ length: Math.floor(width / 2.6) }, (_, nth) => 1.6 + nth * 2.6).filter((at) => at < width - 1)
    sheet.lines(
      't g',
      dots.flatMap((at) => [[at, height - 0.2, at, height + 1.6] as const]),
    )
    return
  }
  const pads: Box[] = Array.from({ length: 4 }, (_, nth) => [2.4, height * 0.3 + nth * 2.6, 1.2, 1.6] as const)
  sheet.rects('g d', /^AM5/.test(socket) ? [] : pads)
  if (/^LGA/.test(socket))
    sheet.path('p', [
      ['M', width * 0.3, 0],
      ['Q', width * 0.3, 1.8, width * 0.3 + 1.2, 1.8],
      ['Q', width * 0.3 + 2.4, 1.8, width * 0.3 + 2.4, 0],
    ])
}

function drawLid(sheet: Sheet, socket: string, width: number, height: number) {
  const [x, y, w, h] = [width * 0.13, height * 0.1, width * 0.74, height * 0.8]
  if (!/^AM5/.test(socket)) {
    sheet.rect('p', x, y, w, h, 2).rect('f', x, y, w, h, 2)
    return
  }
  // the lid of AM5 has eight arms with notches between them
  const notch = 3.2
  const outline: PathCommand[] = [
    ['M', 1.5, 1.5],
    ['L', width * 0.28, 1.5],
    ['L', width * 0.28, 1.5 + notch],
    ['L', width * 0.42, 1.5 + notch],
    ['L', width * 0.42, 1.5],
    ['L', width * 0.58, 1.5],
    ['L', width * 0.58, 1.5 + notch],
    ['L', width * 0.72, 1.5 + notch],
    ['L', width * 0.72, 1.5],
    ['L', width - 1.5, 1.5],
  ]
  const lower: PathCommand[] = outline.toReversed().map(([, px, py]) => ['L', px as number, height - (py as number)])
  sheet.path('p', [...outline, ...lower, ['Z']]).path('f', [...outline, ...lower, ['Z']])
}

function drawCores(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const total = attributes.count('cores', 256)
  const performance = attributes.count('p_cores', 128)
  const efficient = attributes.count('e_cores', 256) ?? 0
  const large = performance !== undefined && efficient > 0 ? performance : (total ?? 0)
  const small = performance !== undefined && efficient > 0 ? efficient : 0
  const area = { x: width * 0.19, y: height * 0.16, width: width * 0.62, height: height * 0.35 }
  if (large === 0) {
    sheet.rect('u m', area.x, area.y, area.width, area.height)
  } else {
    const share = small > 0 ? large / (large + small / 4) : 1
    sheet.rects('c f m', grid(area.x, area.y, area.width * share - (small > 0 ? 1 : 0), area.height, large))
    if (small > 0) sheet.rects('f m', grid(area.x + area.width * share, area.y, area.width * (1 - share), area.height, small))
  }
  if (attributes.has('igpu')) sheet.rect('g f m', area.x, height * 0.53, width * 0.24, height * 0.06)
  const [base, boost] = [attributes.number('base_ghz'), attributes.number('boost_ghz')]
  const clock = [base, boost].filter((one) => one !== undefined).join(' / ')
  const power = attributes.number('tdp_w')
  const lines = [
    `${total ?? '?'} cores`,
    clock === '' ? '' : `${clock} GHz`,
    [attributes.text('socket'), power === undefined ? '' : `${power} W`].filter(Boolean).join(' '),
  ]
  for (const [nth, text] of lines.entries())
    sheet.text(text, [width * 0.5, height * (0.65 + nth * 0.08)], { height: height * 0.072, width: width * 0.64 })
}

/** Boxes for `count` cores, as square as the area allows. */
function grid(x: number, y: number, width: number, height: number, count: number): Box[] {
  const columns = Math.max(1, Math.min(count, Math.ceil(Math.sqrt((count * width) / height))))
  const rows = Math.ceil(count / columns)
  const [w, h] = [width / columns, height / rows]
  return Array.from({ length: count }, (_, nth) => [
    x + (nth % columns) * w + w * 0.1,
    y + Math.floor(nth / columns) * h + h * 0.1,
    w * 0.8,
    h * 0.8,
  ])
}
