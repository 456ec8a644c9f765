import type { Tone } from '../palette.ts'
import type { PathCommand, Sheet } from '../sheet.ts'

type Light = 'rainbow' | Tone | undefined

const rainbow: Tone[] = ['red', 'green', 'blue']
const tonesOf = (light: Exclude<Light, undefined>): Tone[] => (light === 'rainbow' ? rainbow : [light])

/** A ring of light, in as many arcs as it has colours. */
export function lightRing(sheet: Sheet, light: Light, [x, y]: readonly [number, number], radius: number): void {
  if (!light) return
  const colours = tonesOf(light)
  if (colours.length === 1) {
    for (const tone of colours) sheet.lit(tone, (classes) => sheet.circle(classes, x, y, radius))
    return
  }
  const steps = 2
  for (const [nth, tone] of colours.entries()) {
    const turn = (2 * Math.PI) / colours.length / steps
    const at = (angle: number, distance = radius) => [x + distance * Math.cos(angle), y + distance * Math.sin(angle)] as const
    const from = nth * steps * turn
    const arcs = Array.from({ length: steps }, (_, step): PathCommand => {
      const angle = from + step * turn
      return ['Q', ...at(angle + turn / 2, radius / Math.cos(turn / 2)), ...at(angle + turn)]
    })
    sheet.lit(tone, (classes) => sheet.path(classes, [['M', ...at(from)], ...arcs]))
  }
}

/** A strip of light from `x1` to `x2`. */
export function lightStrip(sheet: Sheet, light: Light, x1: number, x2: number, y: number): void {
  if (!light) return
  const colours = tonesOf(light)
  const step = (x2 - x1) / colours.length
  for (const [nth, tone] of colours.entries())
    sheet.lit(tone, (classes) => sheet.lines(classes, [[x1 + nth * step, y, x1 + (nth + 1) * step, y]]))
}

/** A strip of light from `y1` down to `y2`. */
export function lightColumn(sheet: Sheet, light: Light, x: number, [y1, y2]: readonly [number, number]): void {
  if (!light) return
  const colours = tonesOf(light)
  const step = (y2 - y1) / colours.length
  for (const [nth, tone] of colours.entries())
    sheet.lit(tone, (classes) => sheet.lines(classes, [[x, y1 + nth * step, x, y1 + (nth + 1) * step]]))
}

/** `bladeLine`: the class of the lines of the blades, which small drawings leave out unless it is another */
type FanOptions = { blades?: number; isReverse?: boolean; light?: Light; hub?: string; bladeLine?: string }

/** The blades and the hub of a fan. */
export function fan(
  sheet: Sheet,
  x: number,
  y: number,
  radius: number,
  { blades = 9, isReverse = false, light, hub = 'c f', bladeLine = 't' }: FanOptions = {},
) {
  const turn = isReverse ? -1 : 1
  const at = (angle: number, distance: number): readonly [number, number] => [
    x + radius * distance * Math.cos(angle * turn),
    y + radius * distance * Math.sin(angle * turn),
  ]
  const commands = Array.from({ length: blades }, (_, blade): PathCommand[] => {
    const angle = (blade * 2 * Math.PI) / blades
    return [
      ['M', ...at(angle, 0.33)],
      ['Q', ...at(angle, 0.7), ...at(angle + 0.55, 0.93)],
    ]
  }).flat()
  sheet
    .circle('', x, y, radius)
    .path(bladeLine, commands)
    .circle(hub, x, y, radius * 0.3)
  lightRing(sheet, light, [x, y], radius * 0.9)
}

/** Contacts of an edge connector, as a row of short lines from `x1` to `x2`. */
export function contacts(sheet: Sheet, x1: number, x2: number, [top, bottom]: readonly [number, number], pitch: number): void {
  const count = Math.max(1, Math.floor((x2 - x1) / pitch))
  sheet.lines(
    't g',
    Array.from({ length: count }, (_, nth) => {
      const x = x1 + (nth + 0.5) * ((x2 - x1) / count)
      return [x, top, x, bottom] as const
    }),
  )
}

/** A length as it stands at a line: 305 mm, 54.5 mm. */
export const millimetres = (mm: number): string => `${Math.round(mm * 10) / 10} mm`

/** A capacity as it is printed on a part: 500 GB, 2 TB. */
export const capacityText = (gigabytes: number | undefined): string =>
  gigabytes === undefined
    ? ''
    : gigabytes >= 1000
      ? `${Math.round(gigabytes / 100) / 10} TB`
      : gigabytes < 1
        ? `${Math.round(gigabytes * 1024)} MB`
        : `${Math.round(gigabytes * 10) / 10} GB`

/** A paper label with what is printed on it. Draws nothing without text. */
export function label(sheet: Sheet, text: string, [x, y]: readonly [number, number], width: number, height = width * 0.28): void {
  if (text === '') return
  sheet.rect('p m', x - width / 2, y - height / 2, width, height, height * 0.12)
  sheet.text(text, [x, y], { height: height * 0.94, width: width * 0.96 })
}

type Point = readonly [x: number, y: number]

/** Waves of a radio at a point. */
export function radioWaves(sheet: Sheet, [x, y]: Point): void {
  const waves = [8, 16].flatMap((radius): PathCommand[] => [
    ['M', x - radius * 0.8, y - radius * 0.7],
    ['Q', x, y - radius * 1.7, x + radius * 0.8, y - radius * 0.7],
  ])
  sheet.path('c', waves).circle('c f', x, y, 2.5)
}

/** @param at its upper left corner; it is 12 mm wide and 26 mm high */
export function bluetoothSign(sheet: Sheet, [x, y]: Point): void {
  sheet.path('c', [
    ['M', x, y + 7],
    ['L', x + 12, y + 19],
    ['L', x + 6, y + 26],
    ['L', x + 6, y],
    ['L', x + 12, y + 7],
    ['L', x, y + 19],
  ])
}

/** How a keyboard or mouse is connected: a cable with its plug, radio, Bluetooth; a dashed line where it is not known. */
export function drawConnections(sheet: Sheet, connections: string[], at: { cable: Point; radio: Point; bluetooth: Point }): void {
  const [x, y] = at.cable
  if (connections.length === 0) sheet.lines('u', [[x, y, x, 8]])
  if (connections.some((one) => /^wired/i.test(one))) {
    sheet.path('', [
      ['M', x, y],
      ['C', x, 2, x + 34, 28, x + 56, 7],
    ])
    // the end that goes into the computer: USB-C is flat and round
    if (connections.some((one) => /usb-a/i.test(one)) || !connections.some((one) => /usb-c/i.test(one))) sheet.rect('f', x + 56, 2, 16, 9)
    else sheet.rect('c f', x + 56, 3.5, 12, 6, 3)
  }
  if (connections.some((one) => /^wireless/i.test(one))) radioWaves(sheet, at.radio)
  if (connections.some((one) => /bluetooth/i.test(one))) bluetoothSign(sheet, at.bluetooth)
}
