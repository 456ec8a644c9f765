import type { Browser } from '@playwright/test'
import { encodePng, quantizeColours } from './indexed-png.ts'

type Layout = { rows: number; scale: number; colours: number }

/** Combines views, PNGs, in one scaled picture of so many rows and colours. */
export async function sideBySide(browser: Browser, views: Buffer[], { rows, scale, colours }: Layout): Promise<Buffer> {
  const page = await browser.newPage()
  const sheet = await page.evaluate(
    async ({ pictures, rows, scale }) => {
      const images = await Promise.all(
        pictures.map(async (picture) => createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())),
      )
      const gap = 12
      const inRow = images.length / rows
      const sizes = images.map(({ width, height }) => ({ width: Math.round(width * scale), height: Math.round(height * scale) }))
      const widthOf = (of: typeof sizes) => of.reduce((sum, { width }) => sum + width + gap, gap)
      const heightOf = (of: typeof sizes) => Math.max(...of.map(({ height }) => height)) + gap
      const inRows = Array.from({ length: rows }, (_, row) => sizes.slice(row * inRow, (row + 1) * inRow))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(...inRows.map(widthOf))
      canvas.height = inRows.reduce((sum, row) => sum + heightOf(row), gap)
      const context = canvas.getContext('2d')
      if (!context) throw new Error('This browser draws nothing')
      context.fillStyle = '#808080'
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.imageSmoothingQuality = 'high'
      let top = gap
      for (const [row, of] of inRows.entries()) {
        let left = gap
        for (const [column, { width, height }] of of.entries()) {
          const image = images[row * inRow + column]
          if (image) context.drawImage(image, left, top, width, height)
          left += width + gap
        }
        top += heightOf(of)
      }
      const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
      const pixels = await new Promise<string>((resolve) => {
        const reader = new FileReader()
        reader.onload = () => resolve(`${reader.result}`.replace(/^.*,/, ''))
        reader.readAsDataURL(new Blob([data]))
      })
      return { pixels, width, height }
    },
    { pictures: views.map((view) => view.toString('base64')), rows, scale },
  )
  await page.close()
  return encodePng(quantizeColours(Buffer.from(sheet.pixels, 'base64'), sheet.width, sheet.height, colours))
}
