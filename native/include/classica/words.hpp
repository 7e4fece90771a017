// Enumerations whose values people choose by a word: one list is both the enumeration and its words, so that
// the binding, Python's parameter rules and the documentation can read what the kernels dispatch on.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace classica {

template <class Enum>
struct WordList;  // `text` has the values of the enumeration as they were written

// CLASSICA_WORDS(Ties, decrease, increase, lowest); declares the enumeration and its words.
#define CLASSICA_WORDS(Enum, ...)                          \
  enum class Enum { __VA_ARGS__ };                         \
  template <>                                              \
  struct WordList<Enum> {                                  \
    static constexpr std::string_view text = #__VA_ARGS__; \
  }

// The words of an enumeration, in its order.
template <class Enum>
std::vector<std::string_view> words_of() {
  constexpr std::string_view between = ", ";
  std::vector<std::string_view> words;
  std::string_view rest = WordList<Enum>::text;
  for (std::size_t end; (end = rest.find(between)) != rest.npos; rest.remove_prefix(end + between.size()))
    words.push_back(rest.substr(0, end));
  words.push_back(rest);
  return words;
}

}  // namespace classica
