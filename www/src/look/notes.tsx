/** What else is to be said of a text. */
export const Notes = ({ notes }: { readonly notes: readonly string[] }) =>
  notes.map((note) => (
    <p key={note} class="note">
      {note}
    </p>
  ));
