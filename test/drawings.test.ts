import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { allCategories } from '#store/catalogue/categories.ts'
import { basePalette } from '#store/catalogue/drawings/palette.ts'

const house = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(house, file), 'utf8')
const drawings = readdirSync(path.join(house, 'public/drawings')).map((file) => {
  const text = read(`public/drawings/${file}`)
  const [palette = ''] = /<style>.*?<\/style>/s.exec(text) ?? []
  return { name: path.parse(file).name, text, palette, shapes: text.replace(palette, '') }
})
const named = (name: string) => drawings.find((drawing) => drawing.name === name) ?? assert.fail(`public/drawings/${name}.svg`)

/** The banner lies on the board, which is dark in both themes. */
const isOnBoard = (name: string) => name.startsWith('banner-')
const paletteFor = (name: string) => named(isOnBoard(name) ? 'banner-1' : 'part').palette

const sizes: [drawing: RegExp, size: string][] = [
  [/^banner-/, '720 480'],
  [/^not-found$/, '360 240'],
  [/^developer$/, '240 240'],
  [/^avatar$/, '96 96'],
  [/./, '240 160'],
]

/** Categories of different things that may show the same picture, each with the reason. None does. */
const shared: Record<string, string> = {}

test('every drawing is an SVG of less than 6 kB in the size of its kind', () => {
  for (const { name, text } of drawings) {
    assert.ok(Buffer.byteLength(text) < 6000, `${name} has ${Buffer.byteLength(text)} bytes`)
    const [, size = ''] = sizes.find(([drawing]) => drawing.test(name)) ?? []
    const [width, height] = size.split(' ')
    assert.ok(text.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${size}">\n`), name)
  }
})

test('every drawing carries the palette of its family, and no colour, width or opacity of its own', () => {
  for (const { name, palette, shapes } of drawings) {
    assert.equal(palette, paletteFor(name), name)
    assert.doesNotMatch(shapes, /\s(?:fill|stroke|stroke-width|opacity|fill-opacity|stroke-opacity|color|style)=/, name)
    assert.doesNotMatch(shapes, /<(?:style|image|script|text|a|foreignObject)\b|href="[^#]/, name)
    assert.doesNotMatch(shapes.replaceAll(/href="#\w+"|url\(#\w+\)/g, ''), /#|rgb|hsl/, name)
    const classes = [...shapes.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '))
    assert.deepEqual(
      classes.filter((one) => !palette.includes(`.${one}{`) && !palette.includes(`.${one},`)),
      [],
      name,
    )
  }
})

test('drawings that are made from the attributes of parts have the same palette', () => {
  assert.equal(paletteFor('part').replace(/<\/?style>|\/\*.*?\*\/\n/gs, ''), basePalette)
})

test('the palettes speak the colours of web/styles.css, and three widths of line', () => {
  const token = (name: string) =>
    new RegExp(`--${name}: (?:light-dark\\()?(#\\w+)(?:, (#\\w+))?`).exec(read('web/styles.css'))?.slice(1) ?? []
  const hex = (names: string[], side: 0 | 1) => names.map((name) => short(token(name)[side] ?? token(name)[0])).sort()
  const [light = '', dark = '', forced = ''] = paletteFor('part').split('@media')
  assert.deepEqual(
    [coloursIn(light), coloursIn(dark), coloursIn(forced)],
    [hex(['leaf', 'copper', 'gold', 'panel'], 0), hex(['leaf', 'copper', 'panel'], 1), hex(['edge'], 0)],
  )
  const [board = '', darkBoard = '', forcedBoard = ''] = paletteFor('banner-1').split('@media')
  // copper as it is on dark grounds, in both themes
  assert.deepEqual(
    [coloursIn(board), coloursIn(darkBoard), forcedBoard],
    [[...hex(['silk', 'gold', 'board'], 0), ...hex(['copper'], 1)].sort(), hex(['board'], 1), forced],
  )

  const widths = (name: string) => [...paletteFor(name).matchAll(/stroke-width:([\d.]+)/g)].map(([, width]) => Number(width))
  assert.deepEqual(
    [widths('part'), widths('banner-1')],
    [
      [2.5, 1.5, 5],
      [3, 1.75, 6],
    ],
  )
})

test('every category has a drawing of its own, and what is of no category the drawing of a part', () => {
  const users = Map.groupBy(allCategories(), ({ drawing }) => drawing)
  for (const [drawing, of] of users) {
    named(drawing)
    if (!shared[drawing]) assert.equal(of.length, 1, `${of.map(({ key }) => key)} share ${drawing}`)
  }
  assert.equal(users.has('part'), false)
})

test('no screen asks for a drawing that is not there, and no drawing is there for nobody', () => {
  const sources = globSync('{web,store,demo,content}/**/*.{ts,tsx,json}', { cwd: house, exclude: (file) => file.endsWith('.test.ts') })
  const asked = new Set(
    allCategories().flatMap(({ drawing, kindDrawings: { kinds = {}, other = drawing } = {} }) => [drawing, other, ...Object.values(kinds)]),
  )
  for (const drawing of asked) named(drawing)
  for (const file of sources)
    for (const [, one = '', scene = one] of read(file).matchAll(
      /\/drawings\/([\w-]+)\.svg|(?:<Illustration name|\billustration)="([\w-]+)"/g,
    )) {
      assert.ok(
        drawings.some(({ name }) => name === scene),
        `${file} shows ${scene}`,
      )
      asked.add(scene)
    }
  assert.deepEqual(
    drawings.map(({ name }) => name).filter((name) => !asked.has(name)),
    [],
  )
})

test('the pictures for those who take no SVG are there, in the sizes that are told and small enough to be taken', () => {
  const told: { icons: { src: string; sizes: string; type: string }[] } = JSON.parse(read('public/site.webmanifest'))
  const icons = told.icons.filter(({ type }) => type === 'image/png')
  assert.equal(icons.length, 2)
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }, { src: '/social.png', sizes: '1200x630' }]) {
    const bytes = readFileSync(path.join(house, 'public', src))
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG', src)
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src)
    assert.ok(bytes.length < 120_000, `${src} has ${bytes.length} bytes`)
  }
})

const coloursIn = (style: string) => [...style.matchAll(/#\w+/g)].map(([colour]) => short(colour)).sort()

/** #ffffff is #fff */
const short = (colour = '') => colour.replace(/^#(\w)\1(\w)\2(\w)\3$/, '#$1$2$3')
