import { chromium } from '@playwright/test'
import { offlineChromiumArgs } from '../playwright.config.ts'

/** Between a hand's arrival on a link and its press pass 200 ms and more. */
const hoverMs = 200

declare global {
  interface Window {
    /** milliseconds from the press to the frame that shows the product */
    seenAfterMs?: number
  }
}

type ClickOptions = {
  clicks: number
  /** the list without its page */
  list?: string
  /** by a finger instead of a pointer that comes to the link first */
  touch?: boolean
  /** the reference: none of the store's script runs, and a press puts the product's HTML, fetched before, into the page */
  bare?: boolean
}

/**
 * Presses one product of the list after the other, each time on a fresh page whose files the browser has kept.
 * @returns milliseconds of each, from the press until the product's title has been painted
 */
export async function measureClickToPaint(
  program: string,
  address: string,
  { clicks, list = '/allproducts', touch = false, bare = false }: ClickOptions,
): Promise<number[]> {
  const browser = await chromium.launch({ executablePath: program, args: offlineChromiumArgs })
  try {
    const context = await browser.newContext({
      hasTouch: touch,
      viewport: touch ? { width: 412, height: 823 } : { width: 1280, height: 900 },
    })
    const page = await context.newPage()
    await page.addInitScript(recordPaintTime)
    if (bare) await page.route('**/assets/*.js', (route) => route.abort())
    const waits: number[] = []
    for (let click = 0; click < clicks; click++) {
      const shown = new URL(list, address)
      shown.searchParams.set('page', `${1 + Math.floor(click / perPage)}`)
      await page.goto(shown.href, { waitUntil: 'networkidle' })
      const link = page.locator('#products h2 a').nth(click % perPage) // of a card or a row
      await link.scrollIntoViewIfNeeded()
      const name = await link.textContent()
      if (bare) await link.evaluate(renderWithoutScript)
      if (touch) await link.tap()
      else {
        await link.hover()
        await new Promise((rest) => setTimeout(rest, hoverMs))
        await page.mouse.down()
        await page.mouse.up()
      }
      await page.waitForFunction((title) => window.seenAfterMs && document.querySelector('h1')?.textContent === title, name)
      waits.push(await page.evaluate(() => window.seenAfterMs ?? Number.NaN))
    }
    return waits
  } finally {
    await browser.close()
  }
}

const perPage = 24

/** Runs in the page. */
async function renderWithoutScript(link: HTMLElement | SVGElement) {
  if (!(link instanceof HTMLAnchorElement)) return
  const { href } = link
  const html = await (await fetch(href)).text()
  const main = new DOMParser().parseFromString(html, 'text/html').querySelector('main')?.innerHTML ?? ''
  link.addEventListener('click', (event) => {
    event.preventDefault()
    history.pushState(null, '', href)
    scrollTo(0, 0)
    const place = document.querySelector('main')
    if (place) place.innerHTML = main
  })
}

/** Runs in the page. A task that follows a frame's callbacks comes after its painting, and this one before any other that waits. */
function recordPaintTime() {
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      const before = document.querySelector('h1')?.textContent
      const look = () => {
        const title = document.querySelector('h1')?.textContent
        if (!location.pathname.startsWith('/products/') || !title || title === before) return void requestAnimationFrame(look)
        scheduler.postTask(
          () => {
            window.seenAfterMs = performance.now() - timeStamp
          },
          { priority: 'user-blocking' },
        )
      }
      requestAnimationFrame(look)
    },
    { capture: true },
  )
}
