/** Whether an image of a product is its drawing from its attributes, not a picture of it or the drawing of its kind. */
export const isDrawnFromData = (img: string): boolean => img.includes('.svg?v=')

/** The address of the drawing of a product as `GET /drawings/{id}.svg` can be asked for it: `size=large&beside=coin`. Other images are as they are. */
export const drawingUrl = (img: string, query: string): string => (query && isDrawnFromData(img) ? `${img}&${query}` : img)
