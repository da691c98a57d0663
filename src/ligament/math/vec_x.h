// SPDX-License-Identifier: Apache-2.0
// VecX: a vector of numbers that keeps its memory.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace ligament {

// Like Eigen::VectorXd in all expressions, and like std::vector in its memory: it allocates when it
// becomes larger than it ever was, and then by half as much again. What shrinks and grows with the
// contacts of a step settles after a few steps. Its memory is aligned for all instructions, so that
// sums are the same bits wherever it stands.
class VecX : public Eigen::Map<Eigen::VectorXd, Eigen::AlignedMax> {
 public:
  using Base = Eigen::Map<Eigen::VectorXd, Eigen::AlignedMax>;

  VecX() : Base(nullptr, 0) {}
  explicit VecX(Eigen::Index size) : VecX() { resize(size); }
  VecX(const VecX& other) : VecX() { *this = other; }
  VecX(VecX&& other) noexcept : VecX() { swap(other); }
  template <class Derived>
  VecX(const Eigen::DenseBase<Derived>& x) : VecX() {  // any expression is a vector
    *this = x;
  }
  ~VecX() = default;

  VecX& operator=(const VecX& other) {
    resize(other.size());
    std::copy_n(other.data(), other.size(), data());
    return *this;
  }
  VecX& operator=(VecX&& other) noexcept {
    swap(other);
    return *this;
  }
  // x may be made of this vector: its old numbers are there until the new ones are.
  template <class Derived>
  VecX& operator=(const Eigen::DenseBase<Derived>& x) {
    if (x.size() > capacity()) {
      VecX grown(std::max(x.size(), next_capacity()));
      grown.point_at(x.size());
      grown.Base::operator=(x.derived());
      swap(grown);
    } else {
      point_at(x.size());
      Base::operator=(x.derived());
    }
    return *this;
  }

  Eigen::Index capacity() const { return static_cast<Eigen::Index>(memory_.size()); }

  // Keeps the numbers that have a place.
  void conservativeResize(Eigen::Index size) {
    if (size > capacity())
      memory_.resize(static_cast<std::size_t>(std::max(size, next_capacity())));
    point_at(size);
  }
  void resize(Eigen::Index size) { conservativeResize(size); }
  void noalias() = delete;  // it would not give the vector its size

  using Base::setConstant;
  using Base::setZero;
  VecX& setZero(Eigen::Index size) { return setConstant(size, 0.0); }
  VecX& setConstant(Eigen::Index size, double value) {
    resize(size);
    setConstant(value);
    return *this;
  }

  void swap(VecX& other) noexcept {
    const Eigen::Index size_here = size();
    memory_.swap(other.memory_);
    point_at(other.size());
    other.point_at(size_here);
  }

 private:
  Eigen::Index next_capacity() const { return capacity() + capacity() / 2; }
  // Eigen's way to let a Map look at something else.
  void point_at(Eigen::Index size) noexcept {
    new (static_cast<Base*>(this)) Base(memory_.data(), size);
  }

  std::vector<double, Eigen::aligned_allocator<double>> memory_;  // as large as it ever was
};

}  // namespace ligament
