import type { KnownThing } from '#store/catalogue/drawing-contract.ts'

type DrawingOptions = {
  size: 'small' | 'medium' | 'large'
  /** mm that the width of the picture shows */
  span?: number | undefined
  beside?: KnownThing
}

/** Whether an image of a product is its drawing from its attributes, not a picture of it or the drawing of its kind. */
export const isDrawnFromData = (img: string): boolean => /^\/drawings\/[0-9a-f-]{36}\.svg\?v=/.test(img)

/** The address of the drawing of a product in another size or on another scale; other images are as they are. */
export function drawingUrl(img: string, { size, span, beside }: DrawingOptions): string {
  if (!isDrawnFromData(img)) return img
  return `${img}${size === 'medium' ? '' : `&size=${size}`}${span ? `&span=${span}` : ''}${beside ? `&beside=${beside}` : ''}`
}
