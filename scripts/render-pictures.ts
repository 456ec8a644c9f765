import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from '@playwright/test'

/**
 * `CHROMIUM=/usr/bin/chromium node scripts/render-pictures.ts`: renders the PNGs in public/ from the SVGs, for clients without SVG support:
 * social.png for link previews, and the phone icons. Run it after a change of the logo (mark.svg) or the first banner.
 */
const projectRoot = path.join(import.meta.dirname, '..')
const font = createRequire(import.meta.url).resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')
const embedded = (type: string, file: string) => `data:${type};base64,${readFileSync(file).toString('base64')}`
const drawn = (file: string) => embedded('image/svg+xml', path.join(projectRoot, 'public', file))

/** Colours of web/styles.css: board, silk, silk-soft, gold. */
const look = `@font-face { font-family: Geist; src: url(${embedded('font/woff2', font)}); font-weight: 100 900 }
* { box-sizing: border-box; margin: 0 } body { overflow: hidden; background: #0b3b2e; color: #f4faf7; font-family: Geist; color-scheme: light }`

const social = `<style>${look}
img { position: absolute } .scene { right: 8px; top: 0; width: 800px; mask-image: linear-gradient(to right, transparent 6%, #000 26%) }
main { position: absolute; left: 72px; bottom: 64px } .mark { position: static; width: 112px; margin: 0 0 32px -10px }
h1 { width: 400px; font-size: 104px; line-height: 1; font-weight: 650; letter-spacing: -.03em } p { margin-top: 28px; font-size: 34px; color: #b9d3c8 }
p::before { content: ''; display: inline-block; width: 48px; height: 5px; margin-right: 20px; border-radius: 3px; background: #d6a53a; vertical-align: middle }
</style><img class="scene" src="${drawn('drawings/banner-1.svg')}"><main><img class="mark" src="${drawn('mark.svg')}"><h1>Nucleus of PC</h1><p>Computer parts and tools in quantities</p></main>`

/** The logo fits into the circle to which phones may crop the icon. */
const icon = `<style>${look} body { display: grid; place-items: center; height: 100vh } img { width: 62vw }</style><img src="${drawn('mark.svg')}">`

const pictures = [
  { file: 'social.png', width: 1200, height: 630, page: social },
  { file: 'apple-touch-icon.png', width: 180, height: 180, page: icon },
  { file: 'icon-192.png', width: 192, height: 192, page: icon },
  { file: 'icon-512.png', width: 512, height: 512, page: icon },
]

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const { file, width, height, page } of pictures) {
    const sheet = await browser.newPage({ viewport: { width, height } })
    await sheet.setContent(page)
    await sheet.evaluate(() => document.fonts.ready.then(() => {}))
    await sheet.screenshot({ path: path.join(projectRoot, 'public', file) })
    await sheet.close()
  }
} finally {
  await browser.close()
}
