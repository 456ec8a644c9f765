import fs from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { closeScreenState, openScreenState, setViewportAndTheme, startTestShops } from '../e2e/open-screen-state.ts'
import { type Screen, type ScreenState, themes, type ViewportWidth, viewportHeights, viewportWidths } from '../e2e/screens/screen.ts'
import { screens } from '../e2e/screens.ts'
import { offlineChromiumArgs } from '../playwright.config.ts'
import { reserveInitializedDataDir } from '../test/initialized-data-dir.ts'
import { sideBySide } from './side-by-side.ts'

/*
 * Updates the screenshots in pictures/: one picture per screen and state, with three widths in both themes, for visual checks and code
 * review. Text that differs between runs (dates, transactions) is masked, so that the picture of an unchanged screen stays identical byte
 * for byte.
 */
const { values: asked, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { whole: { type: 'boolean', default: false } },
})

const folder = 'pictures'
/** Of `scripts/contact-sheets.ts`. */
const drawingsFolder = 'drawings'
const wholeFolder = 'build/pictures'
/** Maximum height of a view in CSS pixels. */
const shownHeight = 1800
const scale = 0.5
const colours = 64
/** Browsers in parallel, for a machine with two cores. */
const concurrency = 2

const chosen = screens.flatMap((screen) =>
  screen.states
    .filter((state) => !state.skipScreenshot && (wanted.length === 0 || wanted.some((part) => nameOf(screen, state).includes(part))))
    .map((state) => ({ screen, state })),
)
if (chosen.length === 0) throw new Error(`No screen is called ${wanted.join(' or ')}`)

await using opened = new AsyncDisposableStack()
opened.use(reserveInitializedDataDir())
const startedAt = performance.now()
console.log('Opening a store and filling it')
const shops = await startTestShops(opened)
await fs.mkdir(folder, { recursive: true })
if (asked.whole) await fs.mkdir(wholeFolder, { recursive: true })

const left = [...chosen]
const done: { name: string; bytes: number; news: string }[] = []
const failed: string[] = []
await Promise.all(Array.from({ length: concurrency }, takePictures))
if (wanted.length === 0) await deleteStalePictures()
await fs.writeFile(path.join(folder, 'README.md'), index())

const bytes = done.reduce((sum, { bytes }) => sum + bytes, 0)
const changed = done.filter(({ news }) => news !== 'as it was').length
console.log(
  `\n${done.length} pictures in ${folder}/, ${(bytes / 1024 / 1024).toFixed(1)} MB, ${changed} of them changed, ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
if (asked.whole) console.log(`Each view in its full size: ${wholeFolder}/`)
for (const words of failed) console.error(`\nNo picture of ${words}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** A worker with its own browser. If the browser crashes, it is replaced and the picture is retried once. */
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
    args: [...offlineChromiumArgs, '--font-render-hinting=none'],
  })
}

function nameOf(screen: Screen, state: ScreenState): string {
  return `${screen.name}-${state.name}`
}

async function takePicture(browser: Browser, screen: Screen, state: ScreenState, name: string) {
  const page = await openScreenState(browser, shops, screen, state, { bypassCSP: true })
  const views: Buffer[] = []
  try {
    for (const theme of themes) {
      for (const width of state.widths ?? viewportWidths) {
        await setViewportAndTheme(page, { width, theme })
        const view = await viewOf(page, state, width)
        views.push(view)
        if (asked.whole) await fs.writeFile(path.join(wholeFolder, `${name}-${width}-${theme}.png`), view)
      }
    }
  } finally {
    await closeScreenState(page)
  }
  const sheet = await sideBySide(browser, views, { rows: themes.length, scale, colours })
  const file = path.join(folder, `${name}.png`)
  const before = await fs.readFile(file).catch(() => undefined)
  if (!before?.equals(sheet)) await fs.writeFile(file, sheet)
  return { bytes: sheet.length, news: !before ? 'new' : before.equals(sheet) ? 'as it was' : 'changed' }
}

async function viewOf(page: Page, { isOverlay }: ScreenState, width: ViewportWidth): Promise<Buffer> {
  for (const frame of page.frames()) await frame.evaluate(maskVolatileText)
  // The viewport is set to the height of the page, because the card provider's frame is not rendered outside of it.
  const height = await page.evaluate(heightAtRest, page.frames().length > 1 ? 15 : 2)
  if (!isOverlay && height > viewportHeights[width]) await page.setViewportSize({ width, height: Math.min(height, shownHeight) })
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    // toasts would be visible in some views only
    style: '[aria-label=Notifications] { visibility: hidden } * { content-visibility: visible !important }',
  })
}

/** Runs in the page: its height once it has not changed for this many frames. The card provider's frame resizes after loading. */
function heightAtRest(frames: number): Promise<number> {
  return new Promise((resolve) => {
    let height = 0
    let same = 0
    const measure = () => {
      const now = document.documentElement.scrollHeight
      same = now === height ? same + 1 : 0
      height = now
      if (same >= frames) resolve(height)
      else requestAnimationFrame(measure)
    }
    measure()
  })
}

/** Runs in the page: replaces dates and ids by constants. */
function maskVolatileText() {
  for (const image of document.images) image.loading = 'eager'
  const today = new Date().toISOString().slice(0, 10)
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type=date]')) if (field.value === today) field.value = '2026-11-21'
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const original = text.nodeValue ?? ''
    const masked = original
      .replace(/\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d/g, '21 Nov 2026, 14:05')
      .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, 'Sat, 21 Nov 2026 14:05:00 GMT')
      .replace(/\b(pi|re)_[A-Za-z0-9]{8,}/g, (id, kind) => `${kind}_${'3Qk2Zt7Yw9Lm4Xc8Vb1Ns6Rd'.slice(0, id.length - 3)}`)
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '3f2a9c4e-7b1d-4e86-9a35-c0d4f1b28e67')
      .replace(/localhost:\d+/g, 'localhost:3000')
    if (masked !== original) text.nodeValue = masked // leaves unchanged text nodes untouched
  }
}

/** Deletes the pictures of screens and states that no longer exist. */
async function deleteStalePictures() {
  const names = new Set([...chosen.map(({ screen, state }) => `${nameOf(screen, state)}.png`), 'README.md', drawingsFolder])
  for (const file of await fs.readdir(folder)) if (!names.has(file)) await fs.rm(path.join(folder, file))
}

function index(): string {
  const shown = screens.map((screen) => ({ screen, states: screen.states.filter(({ skipScreenshot }) => !skipScreenshot) }))
  return [
    '# Every screen, to look at',
    '',
    'Renewed by `npm run pictures`; parts of names renew only some (`npm run pictures -- payment home-full`), and `--whole` leaves every view',
    'in its full size in `build/pictures/`. Each picture shows one screen in one state at half its size: 360, 768 and 1440 px wide, in the light',
    `theme above and in the dark one below. Of a long page it shows the first ${shownHeight} px. Dates and transactions are written over, so that an`,
    'unchanged screen keeps its picture to the byte. In [drawings](drawings) is a sheet of each kind of parts that is drawn from its attributes,',
    'renewed by `npm run pictures:drawings`.',
    ...shown.flatMap(({ screen, states }) => [
      '',
      `## ${screen.name}`,
      '',
      `${screen.routes.map((route) => `\`${route}\``).join(', ') || 'a page of demo mode'}, seen by ${screen.user === 'admin' ? 'an admin' : `a ${screen.user}`}`,
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
