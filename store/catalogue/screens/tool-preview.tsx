import { inStock, NewTool, type Tool } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { typedWholeNumber } from '#store/typed-whole-number.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { useSettled } from '#web/settled.ts'
import { ToolCard } from './tool-card.tsx'
import type { TypedNewTool } from './tool-form.ts'

type ToolPreviewProps = {
  /** the form as it is typed */
  typed: TypedNewTool
  /** what buyers see meanwhile, where a figure is emptied or wrong */
  stored?: Pick<Tool, 'price' | 'minimum_order_quantity' | 'available_quantity'>
}

/** What buyers will see, while it is typed. */
export function ToolPreview({ typed, stored }: ToolPreviewProps) {
  const figure = (name: keyof NonNullable<typeof stored>) => {
    const number = typedWholeNumber(typed[name])
    return Number.isNaN(number) ? (stored?.[name] ?? number) : number
  }
  const price = figure('price')
  const minimum = figure('minimum_order_quantity')
  const available = figure('available_quantity')
  const outOfStock = minimum > 0 && available >= 0 && !inStock({ minimum_order_quantity: minimum, available_quantity: available })
  const img = usePicture(typed.img)
  const begun = stored !== undefined || Object.values(typed).some((text) => text.trim() !== '')

  return (
    <aside aria-labelledby="preview" className="flex flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview" className="text-xl">
        What buyers see
      </h2>
      {begun ? (
        // a picture of the card: the fields say the same, and its button leads nowhere yet
        <div inert className="max-w-96 overflow-hidden">
          <ToolCard
            key={img}
            heading="h3"
            tool={{
              _id: '',
              name: typed.name.trim() || 'Your product',
              img,
              description: typed.description.trim() || 'What it is, in a few lines.',
              price: price || 0,
              minimum_order_quantity: minimum || 0,
              available_quantity: available || 0,
              inStock: !outOfStock,
            }}
          />
        </div>
      ) : (
        <p className="text-soft">Its card in the list, as soon as you begin to type.</p>
      )}
      {price > 0 && minimum > 0 && (
        <p className="overflow-hidden">
          <Dollars amount={price} /> each, minimum <GroupedDigits number={minimum} /> = <Dollars amount={price * minimum} />
        </p>
      )}
      {outOfStock && (
        <Notice kind="warning" title="Will show as out of stock">
          The smallest order is {inFigures(minimum)} pieces, and {inFigures(available)} are available. You can save it all the same.
        </Notice>
      )}
    </aside>
  )
}

/** A picture is fetched once its address is complete, not at every key of it. */
function usePicture(address: string): string {
  const [settled] = useSettled(address)
  const { data } = NewTool.shape.img.safeParse(address)
  return settled === address && data ? data : '/drawings/part.svg'
}
