import { type ChangeEvent, useId } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { ratingOutOf } from '#store/constants.ts'
import { Icon } from '#web/icon.tsx'
import type { Read, Typed } from './add-review.tsx'

const words = ['poor', 'weak', 'fair', 'good', 'excellent']
const halves = Array.from({ length: 2 * ratingOutOf }, (_, place) => `${(place + 1) / 2}`)

/** A rating as this field says it; '' if it is none that can be given here, as the call takes any number. */
export const asTyped = (rating: number): string => halves.find((half) => Number(half) === rating) ?? ''

/** One rating, given by a word or, for halves, by its figure: either shows what the other says. */
export function RatingField({ form }: { form: UseFormReturn<Typed, unknown, Read> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'rating' })
  const id = useId()
  const error = fieldState.error?.message

  const give = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
    field.onChange(event)
    if (error) form.trigger('rating')
  }

  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error && `${id}-error`}>
      <legend className="mb-1 font-medium">Reviewer Rating out of {ratingOutOf} on Our Company</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-[repeat(4,1fr)_auto]">
        {words.map((word, place) => (
          <label
            key={word}
            className={`flex min-h-11 items-center gap-2 rounded border bg-panel px-3 py-2 sm:flex-col sm:px-2 sm:text-center hover:border-ink has-checked:border-leaf has-checked:bg-tint ${error ? 'border-bad' : 'border-edge'}`}
          >
            <input
              ref={place === 0 ? field.ref : undefined}
              type="radio"
              name={id}
              value={place + 1}
              checked={field.value === `${place + 1}`}
              onChange={give}
              required
              className="size-5 shrink-0 accent-leaf"
            />
            <span>
              <span className="figures">{place + 1}</span> {word}
            </span>
          </label>
        ))}
      </div>
      <label htmlFor={id} className="mt-1">
        As a figure, halves allowed
      </label>
      <select
        id={id}
        value={field.value}
        onChange={give}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-error`}
        className="figures min-h-11 w-full rounded border border-edge bg-panel px-3 py-2 text-base text-ink hover:border-ink aria-invalid:border-2 aria-invalid:border-bad"
      >
        <option value="">Choose</option>
        {halves.map((half) => (
          <option key={half} value={half}>
            {half} out of {ratingOutOf}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {error}
        </p>
      )}
      <p className="text-sm text-soft">Required. Low ratings are shown as quickly as high ones.</p>
    </fieldset>
  )
}
