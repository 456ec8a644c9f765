import { formatNumber } from '#shared/format-number.ts'
import { formatPieces } from '#shared/format-pieces.ts'
import { NewProduct } from '#store/catalogue/contract.ts'
import type { QuantityTerms } from '#store/catalogue/settle-quantity.ts'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import { previewedFigures } from './previewed-figures.ts'
import { ProductCard } from './product-card.tsx'
import type { NewProductFormInput } from './product-form.ts'

type ProductPreviewProps = {
  /** current form input */
  formInput: NewProductFormInput
  /** stored values, shown in place of empty or invalid numbers */
  stored?: QuantityTerms
}

/** Live preview of the product card while the form is edited. */
export function ProductPreview({ formInput, stored }: ProductPreviewProps) {
  const figures = previewedFigures(formInput, stored)
  const { minimum_order_quantity: minimum, available_quantity: available, unitPriceCents } = figures
  const img = useDebouncedImageUrl(formInput.img)
  const { order_multiple: _, ...typedByHand } = formInput // it begins with 1
  const hasInput = stored !== undefined || Object.values(typedByHand).some((text) => text.trim() !== '')

  return (
    <aside aria-labelledby="preview" className="flex flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview" className="text-xl">
        What buyers see
      </h2>
      {hasInput ? (
        // inert: the form fields contain the same information, and the button has no target yet
        <div inert className="max-w-96 overflow-hidden">
          <ProductCard
            key={img}
            heading="h3"
            product={{
              ...figures,
              _id: '',
              name: formInput.name.trim() || 'Your product',
              img,
              description: formInput.description.trim() || 'What it is, in a few lines.',
            }}
          />
        </div>
      ) : (
        <p className="text-soft">Its card in the list, as soon as you begin to type.</p>
      )}
      {unitPriceCents !== undefined && (
        <p className="overflow-hidden">
          <MoneyAmount amountCents={unitPriceCents} /> each, minimum <GroupedDigits number={minimum} /> ={' '}
          <MoneyAmount amountCents={figures.smallestOrderCents} />
        </p>
      )}
      {!figures.inStock && (
        <Notice kind="warning" title="Will show as out of stock">
          The smallest order is {formatPieces(minimum)}, and {formatNumber(available)} are available. You can save it all the same.
        </Notice>
      )}
    </aside>
  )
}

/** The image URL once it is valid and typing has paused, so that not every keystroke sends a request. */
function useDebouncedImageUrl(address: string): string {
  const [settled] = useDebouncedText(address)
  const { data } = NewProduct.shape.img.safeParse(address)
  return settled === address && data ? data : '/drawings/part.svg'
}
