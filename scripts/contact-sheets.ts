import fs from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { themes } from '../e2e/screens/screen.ts'
import { escapeHtml } from '../platform/escape-html.ts'
import { offlineChromiumArgs } from '../playwright.config.ts'
import { readCatalogue } from '../proof/catalogue.ts'
import { drawnCategories, drawProduct } from '../store/catalogue/drawings/draw-product.ts'
import { sideBySide } from './side-by-side.ts'

/*
 * Renews `pictures/drawings/`: for each kind of parts that is drawn from its attributes a sheet with parts from all over the catalogue, in both
 * themes, to see whether they can be told apart.
 */
const folder = 'pictures/drawings'
const columns = 6
const perSheet = 24
const { rows: parts, source } = readCatalogue()

await fs.mkdir(folder, { recursive: true })
const browser = await chromium.launch({
  ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
  args: [...offlineChromiumArgs, '--font-render-hinting=none'],
})
for (const category of drawnCategories) {
  const all = parts.filter((part) => part.category === category)
  const shown = Array.from({ length: Math.min(perSheet, all.length) }, (_, nth) => all[Math.floor((nth * all.length) / perSheet)]).filter(
    (part) => part !== undefined,
  )
  const views: Buffer[] = []
  for (const theme of themes) {
    const page = await browser.newPage({ viewport: { width: columns * 252 + 12, height: 100 }, colorScheme: theme })
    await page.setContent(sheetOf(shown))
    views.push(await page.screenshot({ fullPage: true }))
    await page.close()
  }
  const file = path.join(folder, `${category}.png`)
  await fs.writeFile(file, await sideBySide(browser, views, { rows: views.length, scale: 0.75, colours: 64 }))
  console.log(`${file}: ${shown.length} of ${source}`)
}
await browser.close()

/** Colours of web/styles.css: paper, tint, ink. */
function sheetOf(shown: { name: string; category: string | null; specs: Record<string, unknown> }[]): string {
  const figures = shown.map((part) => {
    const drawing = Buffer.from(drawProduct(part)).toString('base64')
    return `<figure><img src="data:image/svg+xml;base64,${drawing}"><figcaption>${escapeHtml(part.name.slice(0, 70))}</figcaption></figure>`
  })
  return `<style>:root { color-scheme: light dark; background: light-dark(#fff, #0d1411); color: light-dark(#101814, #e8f0ec); font: 11px sans-serif }
body { margin: 12px; display: grid; grid-template-columns: repeat(${columns}, 240px); gap: 12px } figure { margin: 0 }
img { display: block; width: 240px; height: 160px; background: light-dark(#eef6f2, #1a2620) } figcaption { padding: 4px 0; height: 2.4em; overflow: hidden }
</style>${figures.join('')}`
}
