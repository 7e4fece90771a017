// Which bytes a text has: zero bytes and sequences that are not UTF-8 (as the Unicode standard's table 3-7
// has it), found from one unusual byte to the next.
//
// Invariant: a sequence is judged in the stretch in which it begins; a stretch passes over bytes that
// belong to a sequence before it. Cost: one pass at the speed of memory for ASCII.
#include <algorithm>
#include <vector>

#include "../level/text_block.hpp"
#include "classica/parallel.hpp"
#include "classica/tables.hpp"
#include "utf8.hpp"

namespace classica {
namespace {

// A megabyte takes well below a millisecond.
constexpr std::size_t stretch = std::size_t{1} << 20;

// Whether a byte belongs to a sequence that began before it.
bool is_continuation(std::string_view text, std::size_t place) {
  for (std::size_t back = 1; back <= 3 && back <= place; ++back)
    if (utf8_length(text, place - back) > back) return true;
  return false;
}

template <class Level>
ByteFacts scan_stretch(std::string_view text, std::size_t first, std::size_t end) {
  ByteFacts facts;
  while (first < end && is_continuation(text, first)) ++first;
  const auto next = [&](std::size_t place) {
    return static_cast<std::size_t>(TextBlock<Level>::next_unusual(
        text.data(), static_cast<std::ptrdiff_t>(place), static_cast<std::ptrdiff_t>(end)));
  };
  for (std::size_t place = next(first); place < end;) {
    const std::size_t length = utf8_length(text, place);
    Sighting& what = text[place] == 0 ? facts.nul : length == 0 ? facts.not_utf8 : facts.utf8;
    what.see(static_cast<std::ptrdiff_t>(place));
    place = next(place + std::max<std::size_t>(length, 1));
  }
  return facts;
}

}  // namespace

ByteFacts scan_bytes(std::string_view text, int threads) {
  std::vector<ByteFacts> parts((text.size() + stretch - 1) / stretch);
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
  parallel_for(count, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      at_active_level([&]<class Level> {
        parts[k] = scan_stretch<Level>(text, k * stretch, std::min((k + 1) * stretch, text.size()));
      });
  });
  ByteFacts all;
  for (const ByteFacts& part : parts) {
    all.nul.join(part.nul);
    all.not_utf8.join(part.not_utf8);
    all.utf8.join(part.utf8);
  }
  return all;
}

}  // namespace classica
