import { type KnownThing, knownThingLabels } from '#store/catalogue/drawing-contract.ts'
import { isPartDrawing } from '#store/catalogue/is-part-drawing.ts'
import { Panel } from '#web/panel.tsx'
import { drawingUrl } from './drawing-url.ts'
import { ProductImage } from './product-image.tsx'

type ProductDrawingProps = {
  product: { name: string; img: string; brand: string | null; mpn: string | null }
  /** of its drawing: the lengths that it says, and beside what it can be looked at */
  drawing: { dimensions: string[]; beside: KnownThing[] } | null
}

/**
 * The large image of a product page. A drawing has lines with the lengths that are known, brand and part number as a label, and, opened on
 * a press, the same part beside things whose size everybody knows. Phones have a small one beside the name, and this further down.
 */
export function ProductDrawing({ product, drawing }: ProductDrawingProps) {
  const isDrawing = product.img.startsWith('/drawings/')
  const beside = isPartDrawing(product.img) ? (drawing?.beside ?? []) : []
  return (
    <div className="flex flex-col gap-2">
      <Panel variant="sunk" padding="none">
        <ProductImage
          product={product}
          drawing="size=large"
          description={drawing && drawing.dimensions.length > 0 ? `Drawing to scale: ${drawing.dimensions.join(', ')}` : undefined}
          className="aspect-3/2 w-full"
        />
        {isDrawing && (product.brand || product.mpn) && (
          <p aria-hidden="true" className="figures truncate border-t border-line px-3 py-1.5 text-sm text-soft">
            {[product.brand, product.mpn].filter(Boolean).join(' ')}
          </p>
        )}
      </Panel>
      {beside.length > 0 && (
        <details className="text-sm print:hidden">
          <summary className="cursor-pointer py-1 text-leaf underline-offset-2 hover:underline">How large is it?</summary>
          <ul className="mt-1 grid gap-2 sm:grid-cols-2">
            {beside.map((thing) => (
              <li key={thing}>
                <img
                  src={drawingUrl(product.img, `size=large&beside=${thing}`)}
                  alt={`The part beside ${knownThingLabels[thing]}, on one scale`}
                  width="480"
                  height="320"
                  loading="lazy"
                  className="aspect-3/2 w-full rounded bg-tint"
                />
                <p className="mt-1 text-soft">Beside {knownThingLabels[thing]}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
