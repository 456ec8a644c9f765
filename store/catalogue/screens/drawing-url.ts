import { isPartDrawing } from '#store/catalogue/is-part-drawing.ts'

/** The address of the drawing of a product as `GET /drawings/{id}.svg` can be asked for it: `size=large&beside=coin`. Other images are as they are. */
export const drawingUrl = (img: string, query: string): string => (query && isPartDrawing(img) ? `${img}&${query}` : img)
