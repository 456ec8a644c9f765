import fs from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { allWidths, type Screen, type State, themes, type Width, widths } from '../e2e/screens/screen.ts'
import { screens } from '../e2e/screens.ts'
import { openShops, openState, show } from '../e2e/walk.ts'
import { offline } from '../playwright.config.ts'
import { planOpenedStore } from '../test/opened-store.ts'
import { pngOf, withFewColours } from './few-colours.ts'

/*
 * Renews the contact sheet in pictures/: every screen in every state, at three widths in both themes, in one picture, so that
 * whoever changes something can look at it, and whoever reads the change sees what became of it. What differs from run to run (dates,
 * transactions) is written over, so that a screen that has not changed keeps its picture to the byte.
 */
const { values: asked, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { whole: { type: 'boolean', default: false } },
})

const folder = 'pictures'
const wholeFolder = 'build/pictures'
/** How much of a long page is shown, in its own pixels; how much smaller the contact sheet is, and how many colours each picture has. */
const shownHeight = 1800
const scale = 0.5
const colours = 64
/** As many at once as a small machine can draw. */
const lanes = 2

const chosen = screens.flatMap((screen) =>
  screen.states
    .filter((state) => !state.seenElsewhere && (wanted.length === 0 || wanted.some((part) => nameOf(screen, state).includes(part))))
    .map((state) => ({ screen, state })),
)
if (chosen.length === 0) throw new Error(`No screen is called ${wanted.join(' or ')}`)

await using opened = new AsyncDisposableStack()
opened.use(planOpenedStore())
const began = performance.now()
console.log('Opening a store and filling it')
const shops = await openShops(opened)
await fs.mkdir(folder, { recursive: true })
if (asked.whole) await fs.mkdir(wholeFolder, { recursive: true })

const left = [...chosen]
const done: { name: string; bytes: number; news: string }[] = []
const failed: string[] = []
await Promise.all(Array.from({ length: lanes }, takePictures))
if (wanted.length === 0) await dropOthers()
await fs.writeFile(path.join(folder, 'README.md'), index())

const bytes = done.reduce((sum, { bytes }) => sum + bytes, 0)
const changed = done.filter(({ news }) => news !== 'as it was').length
console.log(
  `\n${done.length} pictures in ${folder}/, ${(bytes / 1024 / 1024).toFixed(1)} MB, ${changed} of them changed, ${Math.round((performance.now() - began) / 1000)} s`,
)
if (asked.whole) console.log(`Each view in its full size: ${wholeFolder}/`)
for (const words of failed) console.error(`\nNo picture of ${words}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** One lane of them, with a browser of its own. One that has died on the way is replaced, and the picture tried again. */
async function takePictures() {
  let browser = await openBrowser()
  for (let next = left.shift(); next; next = left.shift()) {
    const name = nameOf(next.screen, next.state)
    for (let tries = 1; ; tries++) {
      try {
        const { bytes, news } = await takePicture(browser, next.screen, next.state, name)
        done.push({ name, bytes, news })
        console.log(`${name.padEnd(40)} ${`${Math.round(bytes / 1024)}`.padStart(4)} kB  ${news}`)
        break
      } catch (error) {
        const died = !browser.isConnected()
        if (died) browser = await openBrowser()
        if (died && tries === 1) continue
        failed.push(`${name}: ${error instanceof Error ? error.message : error}`)
        break
      }
    }
  }
  await browser.close()
}

function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
    args: [...offline, '--font-render-hinting=none'],
  })
}

function nameOf(screen: Screen, state: State): string {
  return `${screen.name}-${state.name}`
}

async function takePicture(browser: Browser, screen: Screen, state: State, name: string) {
  const page = await openState(browser, shops, screen, state, { bypassCSP: true })
  const views: Buffer[] = []
  try {
    for (const theme of themes) {
      for (const width of state.widths ?? allWidths) {
        await show(page, { width, theme })
        const view = await viewOf(page, state, width)
        views.push(view)
        if (asked.whole) await fs.writeFile(path.join(wholeFolder, `${name}-${width}-${theme}.png`), view)
      }
    }
  } finally {
    await page.context().close()
  }
  const sheet = await sideBySide(browser, views)
  const file = path.join(folder, `${name}.png`)
  const before = await fs.readFile(file).catch(() => undefined)
  if (!before?.equals(sheet)) await fs.writeFile(file, sheet)
  return { bytes: sheet.length, news: !before ? 'new' : before.equals(sheet) ? 'as it was' : 'changed' }
}

async function viewOf(page: Page, { layer }: State, width: Width): Promise<Buffer> {
  for (const frame of page.frames()) await frame.evaluate(writeOver)
  // The window becomes as high as what is shown: what lies outside of it, the card provider's frame would not draw.
  const height = await page.evaluate(heightAtRest, page.frames().length > 1 ? 15 : 2)
  if (!layer && height > widths[width]) await page.setViewportSize({ width, height: Math.min(height, shownHeight) })
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    // passing news would be on one view and gone on the next
    style: '[aria-label=Notifications] { visibility: hidden } * { content-visibility: visible !important }',
  })
}

/** In the page: how high it is, once it has not changed for so many frames. One with the card provider's fields grows as they say. */
function heightAtRest(frames: number): Promise<number> {
  return new Promise((resolve) => {
    let height = 0
    let same = 0
    const look = () => {
      const now = document.documentElement.scrollHeight
      same = now === height ? same + 1 : 0
      height = now
      if (same >= frames) resolve(height)
      else requestAnimationFrame(look)
    }
    look()
  })
}

/** In the page: says the same date and transaction in every run. */
function writeOver() {
  for (const image of document.images) image.loading = 'eager'
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const said = text.nodeValue ?? ''
    const same = said
      .replace(/\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d/g, '21 Nov 2026, 14:05')
      .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, 'Sat, 21 Nov 2026 14:05:00 GMT')
      .replace(/\b(pi|re)_[A-Za-z0-9]{8,}/g, (id, kind) => `${kind}_${'3Qk2Zt7Yw9Lm4Xc8Vb1Ns6Rd'.slice(0, id.length - 3)}`)
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '3f2a9c4e-7b1d-4e86-9a35-c0d4f1b28e67')
      .replace(/localhost:\d+/g, 'localhost:3000')
    if (same !== said) text.nodeValue = same // a text that is left alone keeps its node as it was
  }
}

/** All views of one state in one picture, smaller: a row for each theme. */
async function sideBySide(browser: Browser, views: Buffer[]): Promise<Buffer> {
  const desk = await browser.newPage()
  const sheet = await desk.evaluate(
    async ({ pictures, rows, scale }) => {
      const images = await Promise.all(
        pictures.map(async (picture) => createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())),
      )
      const gap = 12
      const inRow = images.length / rows
      const sizes = images.map(({ width, height }) => ({ width: Math.round(width * scale), height: Math.round(height * scale) }))
      const wide = (of: typeof sizes) => of.reduce((sum, { width }) => sum + width + gap, gap)
      const high = (of: typeof sizes) => Math.max(...of.map(({ height }) => height)) + gap
      const inRows = Array.from({ length: rows }, (_, row) => sizes.slice(row * inRow, (row + 1) * inRow))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(...inRows.map(wide))
      canvas.height = inRows.reduce((sum, row) => sum + high(row), gap)
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('This browser draws nothing')
      pen.fillStyle = '#808080'
      pen.fillRect(0, 0, canvas.width, canvas.height)
      pen.imageSmoothingQuality = 'high'
      let top = gap
      for (const [row, of] of inRows.entries()) {
        let left = gap
        for (const [place, { width, height }] of of.entries()) {
          const image = images[row * inRow + place]
          if (image) pen.drawImage(image, left, top, width, height)
          left += width + gap
        }
        top += high(of)
      }
      const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
      const said = await new Promise<string>((resolve) => {
        const reader = new FileReader()
        reader.onload = () => resolve(`${reader.result}`.replace(/^.*,/, ''))
        reader.readAsDataURL(new Blob([data]))
      })
      return { pixels: said, width, height }
    },
    { pictures: views.map((view) => view.toString('base64')), rows: themes.length, scale },
  )
  await desk.close()
  return pngOf(withFewColours(Buffer.from(sheet.pixels, 'base64'), sheet.width, sheet.height, colours))
}

/** A screen or state that is gone takes its picture along. */
async function dropOthers() {
  const names = new Set([...chosen.map(({ screen, state }) => `${nameOf(screen, state)}.png`), 'README.md'])
  for (const file of await fs.readdir(folder)) if (!names.has(file)) await fs.rm(path.join(folder, file))
}

function index(): string {
  const shown = screens.map((screen) => ({ screen, states: screen.states.filter(({ seenElsewhere }) => !seenElsewhere) }))
  return [
    '# Every screen, to look at',
    '',
    'Renewed by `npm run pictures`; parts of names renew only some (`npm run pictures -- payment home-full`), and `--whole` leaves every view',
    'in its full size in `build/pictures/`. Each picture shows one screen in one state at half its size: 360, 768 and 1440 px wide, in the light',
    `theme above and in the dark one below. Of a long page it shows the first ${shownHeight} px. Dates and transactions are written over, so that an`,
    'unchanged screen keeps its picture to the byte.',
    ...shown.flatMap(({ screen, states }) => [
      '',
      `## ${screen.name}`,
      '',
      `${screen.routes.map((route) => `\`${route}\``).join(', ') || 'a page of demo mode'}, seen by ${screen.who === 'admin' ? 'an admin' : `a ${screen.who}`}`,
      '',
      ...states.flatMap((state) => [
        `### ${nameOf(screen, state)}`,
        '',
        `![${screen.name}, ${state.name}](${nameOf(screen, state)}.png)`,
        '',
      ]),
    ]),
  ].join('\n')
}
