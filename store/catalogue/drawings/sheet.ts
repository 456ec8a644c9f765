import { escapeHtml } from '#platform/escape-html.ts'
import type { Tone } from './palette.ts'

/** From millimetres of the part to pixels of the picture. */
export type Projection = { x: (mm: number) => number; y: (mm: number) => number; scale: number }

/** A command of an SVG path; points in mm. */
export type PathCommand =
  | readonly ['M' | 'L', number, number]
  | readonly ['Q', number, number, number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z']

export type Box = readonly [x: number, y: number, width: number, height: number]

/** A length of the part. `text` is what stands at the line; without it the length is not known, and the line is dashed. */
export type Dimension = { side: 'bottom' | 'right'; from: number; to: number; text: string | undefined }

type Shape = { isDetail: boolean; draw: (projection: Projection, smallestText: number) => string }

/**
 * Records the shapes of a drawing in millimetres of the part, from its top left corner. Classes are those of the palette: `f` is filled, `t`
 * thin, `s` a shade, `d` solid, `c` copper, `g` gold, `p` paper, `n` without an outline, `u` dashed because it is not known, `u k` in short
 * dashes, for what is small.
 */
export class Sheet {
  readonly dimensions: Dimension[] = []
  /** what stands above the part where there is room: what its label says is too small to be read on it */
  caption = ''
  readonly tones = new Set<Tone>()
  readonly lights = new Set<Tone>()
  readonly #shapes: Shape[] = []
  #right = 0
  #bottom = 0

  /** Size of what was drawn, mm. */
  get size(): { width: number; height: number } {
    return { width: this.#right, height: this.#bottom }
  }

  rect(classes: string, x: number, y: number, width: number, height: number, radius = 0): this {
    this.#cover(x + width, y + height)
    return this.#add(classes, ({ x: px, y: py, scale }) => {
      const corner = radius > 0 ? ` rx="${rounded(radius * scale)}"` : ''
      return `<rect${classOf(classes)} x="${rounded(px(x))}" y="${rounded(py(y))}" width="${rounded(width * scale)}" height="${rounded(height * scale)}"${corner}/>`
    })
  }

  /** Many boxes as one shape. */
  rects(classes: string, boxes: Box[]): this {
    if (boxes.length === 0) return this
    for (const [x, y, width, height] of boxes) this.#cover(x + width, y + height)
    return this.#add(classes, ({ x: px, y: py, scale }) => {
      const parts = boxes.map(([x, y, width, height]) => {
        const across = rounded(width * scale)
        return `M${rounded(px(x))} ${rounded(py(y))}h${across}v${rounded(height * scale)}h-${across}z`
      })
      return `<path${classOf(classes)} d="${parts.join('')}"/>`
    })
  }

  circle(classes: string, x: number, y: number, radius: number): this {
    this.#cover(x + radius, y + radius)
    return this.#add(
      classes,
      ({ x: px, y: py, scale }) =>
        `<circle${classOf(classes)} cx="${rounded(px(x))}" cy="${rounded(py(y))}" r="${rounded(radius * scale)}"/>`,
    )
  }

  circles(classes: string, circles: (readonly [x: number, y: number, radius: number])[]): this {
    for (const [x, y, radius] of circles) this.circle(classes, x, y, radius)
    return this
  }

  lines(classes: string, lines: (readonly [x1: number, y1: number, x2: number, y2: number])[]): this {
    if (lines.length === 0) return this
    for (const [x1, y1, x2, y2] of lines) this.#cover(Math.max(x1, x2), Math.max(y1, y2))
    return this.#add(classes, ({ x, y }) => {
      const parts = lines.map(([x1, y1, x2, y2]) => {
        const end = x1 === x2 ? `V${rounded(y(y2))}` : y1 === y2 ? `H${rounded(x(x2))}` : `L${rounded(x(x2))} ${rounded(y(y2))}`
        return `M${rounded(x(x1))} ${rounded(y(y1))}${end}`
      })
      return `<path${classOf(classes)} d="${parts.join('')}"/>`
    })
  }

  path(classes: string, commands: PathCommand[]): this {
    if (commands.length === 0) return this
    for (const [, ...numbers] of commands)
      for (let at = 0; at < numbers.length; at += 2) this.#cover(numbers[at] ?? 0, numbers[at + 1] ?? 0)
    return this.#add(classes, (projection) => {
      const parts = commands.map(([letter, ...numbers]) => {
        const points = numbers.map((number, at) => rounded(at % 2 === 0 ? projection.x(number) : projection.y(number)))
        return `${letter}${points.join(' ')}`
      })
      return `<path${classOf(classes)} d="${parts.join('')}"/>`
    })
  }

  /** Text as it is printed on the part, at most as wide as `width`; left out where it would be too small to read. */
  text(text: string, centre: readonly [x: number, y: number], { height, width }: { height: number; width: number }): this {
    if (text === '') return this
    this.#shapes.push({
      isDetail: false,
      draw: ({ x, y, scale }, smallestText) => {
        const size = Math.min(height * scale, (width * scale) / (text.length * characterWidth))
        if (size < smallestText) return ''
        return `<text x="${rounded(x(centre[0]))}" y="${rounded(y(centre[1]) + size * 0.36)}" font-size="${rounded(size)}">${escapeHtml(text)}</text>`
      },
    })
    return this
  }

  /** An area in the colour of the part, without an outline. Draws nothing without a colour. */
  tinted(tone: Tone | undefined, draw: (classes: string) => void): this {
    if (!tone) return this
    this.tones.add(tone)
    draw(`n ${tone}`)
    return this
  }

  /** A line of light. */
  lit(light: Tone, draw: (classes: string) => void): this {
    this.lights.add(light)
    draw(`${light}-light`)
    return this
  }

  /** Keeps room for text, which does not count in `size`. */
  reserve(right: number, bottom: number): this {
    this.#cover(right, bottom)
    return this
  }

  dimension(dimension: Dimension): this {
    this.dimensions.push(dimension)
    return this
  }

  /** The shapes as SVG. @param hasDetails without them thin lines are left out, for small pictures */
  toSvg(projection: Projection, hasDetails: boolean): string {
    const smallest = hasDetails ? smallestText.detailed : smallestText.plain
    return this.#shapes.map(({ isDetail, draw }) => (isDetail && !hasDetails ? '' : draw(projection, smallest))).join('')
  }

  #add(classes: string, draw: (projection: Projection) => string): this {
    this.#shapes.push({ isDetail: /\bt\b/.test(classes), draw })
    return this
  }

  #cover(right: number, bottom: number): void {
    this.#right = Math.max(this.#right, right)
    this.#bottom = Math.max(this.#bottom, bottom)
  }
}

/** Of the height of a letter. */
export const characterWidth = 0.62
/** In px: below it, text is only a smear. Pictures without details are shown smaller than they are. */
const smallestText = { detailed: 5, plain: 10 }

const classOf = (classes: string): string => (classes === '' ? '' : ` class="${classes}"`)

/** A tenth of a pixel is enough, and keeps drawings small. */
export const rounded = (number: number): string => `${Math.round(number * 10) / 10}`
