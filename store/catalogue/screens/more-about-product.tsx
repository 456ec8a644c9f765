import type { ReactNode } from 'react'
import { Field } from '#web/field.tsx'
import { productFormLabels } from './product-form.ts'

type FieldProps = { id: string; error: string | undefined }
type MoreAboutProductProps = Record<'brand' | 'mpn' | 'category', FieldProps> & {
  /** open from the beginning, for what was typed there earlier */
  startsOpen: boolean
  /** further fields with an error, which also open it */
  hasOtherError?: boolean
  /** the fields of one form alone, above the others */
  children: ReactNode
}

/** The folded part of a product form: what a product need not have. An error in one of its fields opens it. */
export function MoreAboutProduct({ brand, mpn, category, startsOpen, hasOtherError = false, children }: MoreAboutProductProps) {
  const hasError = hasOtherError || [brand, mpn, category].some(({ error }) => error)
  return (
    <details open={startsOpen || hasError || undefined} className="border-t border-line pt-2">
      <summary className="min-h-11 cursor-pointer py-2 font-medium">More about the product</summary>
      <div className="mt-2 flex flex-col gap-4">
        {children}
        <Field label={productFormLabels.brand} optional autoComplete="off" hint="Who makes it" {...brand} />
        <Field
          label={productFormLabels.mpn}
          optional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="figures"
          hint="The maker's, by which buyers search"
          {...mpn}
        />
        <Field
          label={productFormLabels.category}
          optional
          autoComplete="off"
          hint="As the filters of the list call it, such as Multimeters. Any other word makes a new category"
          {...category}
        />
      </div>
    </details>
  )
}
