import { Field } from '#web/field.tsx'
import { NumberField } from './number-field.tsx'
import { productFormLabels } from './product-form.ts'

type FieldProps = { id: string; error: string | undefined }

/** The fields of a product form for packs and price breaks, which a product need not have. */
export function PackAndPriceBreakFields({ order_multiple, price_breaks }: { order_multiple: FieldProps; price_breaks: FieldProps }) {
  return (
    <>
      <NumberField
        label={productFormLabels.order_multiple}
        hint="Pieces. 1 where single pieces are sold; otherwise only whole packs are, and the minimum order quantity is a multiple of it"
        required
        {...order_multiple}
      />
      <Field
        label={productFormLabels.price_breaks}
        rows={3}
        spellCheck={false}
        className="figures"
        hint="Can be left out. Lower prices of one piece from a quantity on, each on a line: 25: 11.30"
        {...price_breaks}
      />
    </>
  )
}
